import { type Selectable, sql } from "kysely";
import { several, size } from "../submission/numbers.ts";
import { Problem } from "../submission/problems.ts";
import type { Trx } from "./submissions.ts";

/** What one owner may have; undefined is no limit. */
export interface Quota {
  /** Open at the same time. */
  submissions: number | undefined;
  bytes: number | undefined;
  objects: number | undefined;
}

/** What is wanted or used; bytes are those of the objects and of the stored metadata. */
export type Usage = Record<keyof Quota, number>;

/**
 * Lets an owner take in that much more, or not. Of bytes the metadata of each submission count, whatever became of it,
 * because the service keeps them. Besides what counts is all that is open or archived and not withdrawn, and of
 * failed submissions what is kept for a retry; what a version has from the one before counts there alone. `except` names the submission that `more` is about, which counts with
 * `more` alone. Others of this owner who ask at the same time wait until the transaction ends.
 *
 * @throws Problem `quota_exceeded`, which says what is used and allowed
 */
export async function checkQuota(
  trx: Trx,
  quota: Quota,
  owner: string,
  more: Usage,
  except: string | undefined = undefined,
): Promise<void> {
  if (!isLimited(quota)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 1))`.execute(trx);
  const used = await usageOf(trx, owner, except);
  for (const name of ["submissions", "objects", "bytes"] as const) {
    const allowed = quota[name];
    if (allowed === undefined || more[name] === 0 || used[name] + more[name] <= allowed) continue;
    throw new Problem("quota_exceeded", sentenceFor(name, used[name], more[name], allowed), {
      extra: { quota: { of: name, used: used[name], wanted: more[name], allowed } },
    });
  }
}

/** Whether there is any limit at all. */
export function isLimited(quota: Quota): boolean {
  return Object.values(quota).some((limit) => limit !== undefined);
}

function sentenceFor(name: keyof Quota, used: number, more: number, allowed: number): string {
  if (name === "submissions") return `You have ${several(used, "open submission")}; allowed are ${allowed}`;
  const say = name === "bytes" ? size : (count: number) => several(count, "object");
  return `You have ${say(used)} and want at least ${say(more)} more; allowed are ${say(allowed)}`;
}

async function usageOf(trx: Trx, owner: string, except: string | undefined): Promise<Usage> {
  let query = trx
    .selectFrom("submission")
    .select([
      sql<number>`count(*) filter (where status not in ('completed', 'failed'))`.as("submissions"),
      sql<number>`coalesce(sum(case
        when status = 'completed' then objects_listed - objects_excluded - objects_unchanged
        when status = 'failed' then greatest(objects_stored - objects_unchanged, objects_kept)
        else greatest(objects_listed - objects_excluded - objects_unchanged, objects_kept) end), 0)::bigint`.as(
        "objects",
      ),
      sql<number>`coalesce(sum(case
        when status = 'completed' then bytes_listed - bytes_excluded - bytes_unchanged
        when status = 'failed' then greatest(bytes_stored - bytes_unchanged, bytes_kept)
        else greatest(bytes_listed - bytes_excluded - bytes_unchanged, bytes_kept) end), 0)::bigint`.as("bytes"),
    ])
    .where("owner", "=", owner)
    .where("status", "!=", "cancelled")
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("dataset")
            .select("dataset.id")
            .whereRef("dataset.id", "=", "submission.dataset_id")
            .where("dataset.withdrawn_at", "is not", null),
        ),
      ),
    )
    .where((eb) => eb.or([eb("status", "!=", "failed"), eb("staged", "=", true)]));
  if (except !== undefined) query = query.where("id", "!=", except);
  const used: Selectable<Usage> = await query.executeTakeFirstOrThrow();
  const metadata = await trx
    .selectFrom("submission")
    .select(({ fn }) => fn.sum<number | null>("metadata_bytes").as("bytes"))
    .where("owner", "=", owner)
    .executeTakeFirstOrThrow();
  return {
    submissions: Number(used.submissions),
    objects: Number(used.objects),
    bytes: Number(used.bytes) + Number(metadata.bytes),
  };
}
