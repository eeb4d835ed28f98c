import { Anchor, Group, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { type Publication, type PublicationEntry, readHistory } from "../api/publications.ts";
import { CommentForm } from "../comments/CommentForm.tsx";
import { CommentThread } from "../comments/CommentThread.tsx";
import { PlaceLink } from "../comments/PlaceLink.tsx";
import { type Thread, threadsOf } from "../comments/threads.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import common from "../ui/Common.module.css";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { visible } from "../ui/text/format.ts";
import { lastReviewed } from "./last-reviewed.ts";
import classes from "./Publication.module.css";
import { useChangedSince } from "./useChangedSince.ts";
import "./words.ts";

interface Props {
  publication: Publication;
  mayEdit: boolean;
  isLatest: boolean;
}

/** The characters that are shown of a resolved comment. */
const BEGINNING = 80;

/** Decisions and comments, oldest first, each with its answers, and the form for a comment. */
export function History({ publication, mayEdit, isLatest }: Props) {
  const { t } = useTranslation("publication");
  const { actions, comments } = publication;
  const { history, before, more } = useHistory(publication);
  const threads = useMemo(() => threadsOf(history), [history]);
  return (
    <section className={classes.part} aria-labelledby="publication-history">
      <Group justify="space-between" gap="0.25rem 1rem">
        <Title order={3} size="h5" id="publication-history">
          {t("history.title")}
        </Title>
        {comments.total > 0 && (
          <span className={common.small} role="status">
            {t("comment.resolved", { count: comments.total, resolved: comments.resolved })}
          </span>
        )}
      </Group>
      <Compared publication={publication} isLatest={isLatest} />
      {before !== null && (
        <BusyButton variant="default" size="compact-sm" isBusy={more.isPending} onClick={() => more.mutate(before)}>
          {t("history.earlier")}
        </BusyButton>
      )}
      {more.error !== null && <ProblemAlert error={more.error} />}
      {threads.length > 0 && (
        <ol className={`${common.list} ${classes.history}`} aria-labelledby="publication-history">
          {threads.map((thread) => (
            <li key={thread.entry.id}>
              <Folded thread={thread}>
                {(place) => (
                  <CommentThread
                    thread={thread}
                    publication={publication}
                    place={<AboutWhat thread={thread} publication={publication} mayEdit={mayEdit} />}
                    focusAfter={place}
                  />
                )}
              </Folded>
            </li>
          ))}
        </ol>
      )}
      {actions.includes("comment") && <CommentForm publication={publication} />}
    </section>
  );
}

interface FoldedProps {
  thread: Thread;
  /** @param place what receives the focus when this disappears */
  children: (place: RefObject<HTMLElement | null>) => ReactNode;
}

/** An entry; of a comment that is resolved only the beginning, until the user opens it. */
function Folded({ thread: { entry }, children }: FoldedProps) {
  const { t } = useTranslation("publication");
  const place = useRef<HTMLDivElement>(null);
  const isResolved = entry.action === "comment" && entry.resolved === true;
  const [line = ""] = entry.comment.trim().split("\n");
  const text = line.length > BEGINNING ? `${line.slice(0, BEGINNING)} …` : line;
  return (
    <div ref={place} tabIndex={-1}>
      {isResolved ? (
        <details className={classes.resolved}>
          <summary>{t("comment.folded", { text: visible(text) })}</summary>
          {children(place)}
        </details>
      ) : (
        children(place)
      )}
    </div>
  );
}

/** The link to the field or file that a comment is about. */
function AboutWhat({ thread, publication, mayEdit }: { thread: Thread } & Omit<Props, "isLatest">) {
  const { place } = thread.entry;
  if (place === null) return null;
  return (
    <p className={common.small}>
      <PlaceLink place={place} dataset={publication.dataset} version={publication.version} mayEdit={mayEdit} />
    </p>
  );
}

/** The entries that were loaded, and the number before which there are more. The publication has the newest ones. */
function useHistory(publication: Publication) {
  const { dataset, version, history: newest, historyBefore } = publication;
  const [loaded, setLoaded] = useState<{ entries: PublicationEntry[]; before: number | null }>();
  const first = newest[0]?.id ?? Number.POSITIVE_INFINITY;
  const history = useMemo(
    () => [...(loaded?.entries.filter(({ id }) => id < first) ?? []), ...newest],
    [loaded, first, newest],
  );
  const more = useMutation({
    mutationFn: (before: number) => readHistory(dataset, version, before),
    // With the newest entries of now, which can be followed by others.
    onSuccess: (page) => setLoaded({ entries: [...page.history, ...history], before: page.historyBefore }),
  });
  return { history, before: loaded === undefined ? historyBefore : loaded.before, more };
}

/** A link to what was changed since the last decision, if the metadata have changed. */
function Compared({ publication, isLatest }: { publication: Publication; isLatest: boolean }) {
  const { t } = useTranslation("publication");
  const { dataset, version, revision } = publication;
  const before = lastReviewed(publication)?.revision ?? null;
  const isChanged = useChangedSince(publication, before ?? revision);
  if (before === null || !isChanged || !isLatest) return null;
  const params = new URLSearchParams({ from: `${version}.${before}`, to: `${version}.${revision}` });
  return (
    <Anchor component={Link} href={`/datasets/${dataset}/revisions?${params}`}>
      {t("history.compare")}
    </Anchor>
  );
}
