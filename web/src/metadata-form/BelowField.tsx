import { CommentsAt } from "../comments/CommentsAt.tsx";
import { FromFile } from "./import/FromFile.tsx";
import type { Member } from "./import/members.ts";

/** What stands below a field or a list: from which file its entry comes, and the open comments about it. */
export function BelowField({ member }: { member: Member }) {
  return (
    <>
      <FromFile member={member} />
      <CommentsAt member={member} />
    </>
  );
}
