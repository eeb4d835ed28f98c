import { warnOwners } from "../db/uploads/notices.ts";
import { noticeSince } from "../domain/source-access/upload-expiry.ts";
import type { StepContext } from "./context.ts";

const AT_ONCE = 200;

/** Tells the owners of uploads that these expire. Without effect if the service accepts no uploads, because it then removes none. */
export async function warnOfExpiry({ db, uploads }: Pick<StepContext, "db" | "uploads">): Promise<void> {
  if (uploads === undefined) return;
  const since = noticeSince(new Date());
  while ((await warnOwners(db, { since, limit: AT_ONCE })) === AT_ONCE);
}
