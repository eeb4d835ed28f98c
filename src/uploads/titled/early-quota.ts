import type { Queries } from "../../db/database.ts";
import { type Quota, readQuota } from "../../db/submissions/quota.ts";
import { largestTitledNamed, titledSums } from "../../db/uploads/titled.ts";
import type { Problem } from "../../domain/problems.ts";

/** Files of an owner's uploads that are read to find one by its name. The client sends all files, also after one was refused. */
const MOST_READ = 10_000;

/**
 * The early check of the quota for a file whose name is known when its bytes arrive, and whose title and folder follow. A file that is sent
 * again needs only the difference. In very large uploads, any file counts as the earlier one: what is accepted here may be refused when the
 * file has arrived.
 *
 * @param nameOf the name of the file; called when its first bytes arrive
 * @returns a function that tells why there is certainly no quota for a file with at least this number of bytes
 */
export async function earlyQuotaCheck(
  db: Queries,
  quota: Quota,
  { owner, nameOf }: { owner: string; nameOf: () => string },
): Promise<(bytes: number) => Promise<Problem | undefined>> {
  const check = await readQuota(db, quota, owner);
  let sums: ReturnType<typeof titledSums> | undefined;
  let largest: Promise<number | undefined> | undefined;
  return async (bytes) => {
    const refusal = check({ submissions: 0, objects: 1, bytes });
    if (refusal === undefined) return undefined;
    const fitsInsteadOf = (earlier: number) =>
      check({ submissions: 0, objects: 0, bytes: bytes - earlier }) === undefined;
    sums ??= titledSums(db, owner);
    const { files, largestBytes } = await sums;
    // The first refusal, because the difference can be negative.
    if (files === 0 || !fitsInsteadOf(largestBytes)) return refusal;
    if (files > MOST_READ) return undefined;
    largest ??= largestTitledNamed(db, owner, nameOf());
    const earlier = await largest;
    return earlier !== undefined && fitsInsteadOf(earlier) ? undefined : refusal;
  };
}
