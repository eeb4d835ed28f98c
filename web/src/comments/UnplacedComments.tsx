import { CommentsAt } from "./CommentsAt.tsx";
import { useOpenComments } from "./context.ts";
import { memberOf } from "./threads.ts";

/**
 * The open comments about members of the metadata that the page does not show, because the dataset has no value for them.
 * @param isShown whether the page has a place for the comments about a member
 */
export function UnplacedComments({ isShown }: { isShown: (member: string) => boolean }) {
  const { threads = [] } = useOpenComments() ?? {};
  const members = new Set(threads.flatMap(({ entry }) => memberOf(entry.place) ?? []));
  return [...members]
    .filter((member) => !isShown(member))
    .map((member) => <CommentsAt key={member} member={member} isAbsent />);
}
