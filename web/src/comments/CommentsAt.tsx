import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { useOpenComments } from "./context.ts";
import type { SpotCommentsProps } from "./SpotComments.tsx";
import type { Spot } from "./threads.ts";

/** Loaded on demand, because readers see no comments. */
const SpotComments = lazyLoaded(() => import("./SpotComments.tsx"));

/** The open comments about a member of the metadata, a file or a folder, where it is shown. Nothing for those who see none. */
export function CommentsAt({ isAbsent = false, ...spot }: Spot & Pick<SpotCommentsProps, "isAbsent">) {
  const comments = useOpenComments();
  return comments === undefined ? null : <SpotComments spot={spot} comments={comments} isAbsent={isAbsent} />;
}
