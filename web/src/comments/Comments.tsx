import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { earlierHistoryQuery, type Publication } from "../api/publications.ts";
import { CommentsContext } from "./context.ts";
import { isOpen, threadsOf } from "./threads.ts";

interface Props {
  /** Undefined if there is none, or none that the user takes part in. */
  publication: Publication | undefined;
  /** Whether comments can be added where there is none. */
  canAdd: boolean;
  children: ReactNode;
}

/** Shows the open comments of a publication at what they are about, wherever {@link CommentsAt} is. */
export function Comments({ publication, canAdd, children }: Props) {
  const threads = useOpenThreads(publication);
  const takesPart =
    publication !== undefined && (publication.actions.includes("comment") || publication.comments.total > 0);
  const value = useMemo(
    () => (takesPart ? { publication, threads, canAdd: canAdd && publication.actions.includes("comment") } : undefined),
    [takesPart, publication, threads, canAdd],
  );
  return <CommentsContext value={value}>{children}</CommentsContext>;
}

/** The comments that are not resolved, with their answers. */
function useOpenThreads(publication: Publication | undefined) {
  const { dataset = "", version = 0, history = [], historyBefore = null, comments } = publication ?? {};
  const open = comments === undefined ? 0 : comments.total - comments.resolved;
  const shown = useMemo(() => threadsOf(history).filter(isOpen), [history]);
  // Those that are older than the history of the publication, if there are any.
  const isComplete = shown.length >= open || historyBefore === null;
  const earlier = useQuery({
    ...earlierHistoryQuery(dataset, version, historyBefore ?? 1, `${open}`),
    enabled: !isComplete,
  }).data;
  return useMemo(() => {
    if (isComplete || earlier === undefined) return shown;
    return threadsOf([...earlier, ...history]).filter(isOpen);
  }, [isComplete, earlier, shown, history]);
}
