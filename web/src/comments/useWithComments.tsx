import type { ReactNode } from "react";
import { CommentsAt } from "./CommentsAt.tsx";
import { useOpenComments } from "./context.ts";
import { isAt } from "./threads.ts";

/**
 * Gives what the page says about a member of the metadata, with the comments about it. A member that the dataset does not have is
 * said only if there are comments about it.
 */
export function useWithComments(): (member: string, said: ReactNode) => ReactNode {
  const threads = useOpenComments()?.threads;
  return (member, said) => {
    if (threads === undefined) return said;
    const isAbsent = said === undefined || said === null || said === "" || said === false;
    if (isAbsent && !threads.some(({ entry }) => isAt(entry.place, { member }))) return said;
    return (
      <>
        {said}
        <CommentsAt member={member} isAbsent={isAbsent} />
      </>
    );
  };
}
