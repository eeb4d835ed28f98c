import { sql } from "kysely";
import { several, size } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { REVISION_BYTES_PER_OBJECT } from "../../domain/submission/revision-size.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "./submissions.ts";

/** The limits of one owner; undefined means no limit. */
export interface Quota {
  /** Maximum number of open submissions. */
  submissions: number | undefined;
  bytes: number | undefined;
  objects: number | undefined;
}

/** Requested or used amounts. Bytes are those of the objects and of the stored metadata. */
export type Usage = Record<keyof Quota, number>;

/** A submission or upload whose objects are requested, and so do not count as used. */
interface Except {
  submission?: string;
  area?: string;
}

/**
 * Checks whether an owner may archive this much more. The metadata of every submission counts in every status, because the
 * service keeps it. Objects count while a submission is open, after it is archived and not withdrawn, and, for a failed
 * submission, while they are kept for a retry. Objects unchanged since the previous version count only for that version.
 * A metadata revision counts for the owner who changed the metadata, unless the dataset is withdrawn. The files of an upload count
 * with their whole size until their bytes are removed, as far as the submission that reads them does not count them already.
 * Concurrent checks of the same owner, also for different uploads and in different processes, wait until the transaction ends, and then see
 * what it has added. It is the last lock that a transaction takes. Areas and submissions have counters, so that no check reads files.
 *
 * @param except the submission that `more` is about, or the upload that it will read; their objects count only in `more`
 * @throws Problem `quota_exceeded` with the amounts used and allowed
 */
export async function checkQuota(
  trx: Trx,
  quota: Quota,
  owner: string,
  more: Usage,
  except: Except = {},
): Promise<void> {
  const problem = (await lockQuota(trx, quota, owner, except))(more);
  if (problem !== undefined) throw problem;
}

/** Tells why an owner may not have this much more; undefined if it is allowed. */
export type QuotaCheck = (more: Usage) => Problem | undefined;

/** The check of several amounts in one transaction, under the same lock as {@link checkQuota}. Each is checked without the others. */
export async function lockQuota(trx: Trx, quota: Quota, owner: string, except: Except = {}): Promise<QuotaCheck> {
  if (isLimited(quota)) await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 1))`.execute(trx);
  return readQuota(trx, quota, owner, except);
}

/** The same without a lock, for an early refusal: what is allowed here may be refused later. */
export async function readQuota(db: Queries, quota: Quota, owner: string, except: Except = {}): Promise<QuotaCheck> {
  if (!isLimited(quota)) return () => undefined;
  const used = await usageOf(db, owner, except);
  return (more) => {
    for (const name of ["submissions", "objects", "bytes"] as const) {
      const allowed = quota[name];
      if (allowed === undefined || more[name] === 0 || used[name] + more[name] <= allowed) continue;
      return new Problem("quota_exceeded", sentenceFor(name, used[name], more[name], allowed), {
        extra: { quota: { of: name, used: used[name], wanted: more[name], allowed } },
      });
    }
    return undefined;
  };
}

/** Whether there is any limit at all. */
export function isLimited(quota: Quota): boolean {
  return Object.values(quota).some((limit) => limit !== undefined);
}

function sentenceFor(name: keyof Quota, used: number, more: number, allowed: number): string {
  if (name === "submissions") return `You have ${several(used, "open submission")}; your quota allows ${allowed}`;
  const say = name === "bytes" ? size : (count: number) => several(count, "object");
  return `You use ${say(used)} and request at least ${say(more)} more; your quota allows ${say(allowed)}`;
}

async function usageOf(db: Queries, owner: string, except: Except): Promise<Usage> {
  const { rows } = await sql<Usage>`
    with own as (
      select submission.id, status, metadata_bytes,
        case
          when status = 'completed' then objects_listed - objects_excluded - objects_unchanged
          when status = 'failed' then greatest(objects_stored - objects_unchanged, objects_kept)
          else greatest(objects_listed - objects_excluded - objects_unchanged, objects_kept)
        end as objects,
        case
          when status = 'completed' then bytes_listed - bytes_excluded - bytes_unchanged
          when status = 'failed' then greatest(bytes_stored - bytes_unchanged, bytes_kept)
          else greatest(bytes_listed - bytes_excluded - bytes_unchanged, bytes_kept)
        end as bytes,
        status != 'cancelled' and (status != 'failed' or staged) and dataset.withdrawn_at is null
          and submission.id is distinct from ${except.submission ?? null}::uuid as counts
      from submission left join dataset on dataset.id = submission.dataset_id
      where submission.owner = ${owner}
    ), uploaded as (
      select coalesce(sum(greatest(upload_area.files - case when counts then objects else 0 end, 0)), 0) as objects,
        coalesce(sum(greatest(upload_area.bytes - case when counts then own.bytes else 0 end, 0)), 0) as bytes
      from upload_area left join own on own.id = upload_area.submission_id
      where upload_area.owner = ${owner} and upload_area.id is distinct from ${except.area ?? null}::uuid
        and not coalesce(upload_area.submission_id = ${except.submission ?? null}::uuid, false)
    )
    select
      count(*) filter (where counts and status not in ('completed', 'failed')) as submissions,
      (coalesce(sum(own.objects) filter (where counts), 0) + (select objects from uploaded))::bigint as objects,
      (coalesce(sum(own.bytes) filter (where counts), 0) + (select bytes from uploaded)
        + coalesce(sum(metadata_bytes), 0) + (${revisionBytes(owner)}))::bigint as bytes
    from own`.execute(db);
  const [used] = rows;
  if (used === undefined) throw new Error("The query for the usage returned no row");
  return { submissions: Number(used.submissions), objects: Number(used.objects), bytes: Number(used.bytes) };
}

/** The estimated size of what the metadata revisions of an owner have added to the archive. */
function revisionBytes(owner: string) {
  return sql`
    select coalesce(sum(
      revised.ocfl_version::bigint * (described.objects_listed - described.objects_excluded) * ${REVISION_BYTES_PER_OBJECT}::bigint
    ), 0)
    from metadata_revision as revised
      join dataset_version as of_version
        on of_version.dataset_id = revised.dataset_id and of_version.version = revised.version
      join submission as described on described.id = of_version.submission_id
      join dataset as holding on holding.id = revised.dataset_id
    where revised.changed_by = ${owner} and holding.withdrawn_at is null
      and (revised.published_at is not null or revised.finished_at is null)`;
}
