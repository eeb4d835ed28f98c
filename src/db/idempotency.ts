import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Problem } from "../submission/problems.ts";
import type { Queries } from "./open.ts";

const KEPT_DAYS = 30;
/** A claim outlives its request by little, so that a process that died does not block the key for long. */
const CLAIM_SECONDS = 30;
const POLL_MS = 50;

/**
 * Claims a key for a request. Requests of the same content wait for the one that came first; when that one has become
 * a submission, they are given it.
 *
 * @throws Problem `idempotency_conflict` when the key stands for another content
 */
export async function claimIdempotencyKey(
  db: Queries,
  owner: string,
  key: string,
  fingerprint: string,
  signal: AbortSignal,
): Promise<{ submissionId: string | undefined }> {
  for (;;) {
    const claimed = await sql`
      insert into idempotency (owner, key, fingerprint, claimed_until, created_at)
      values (${owner}, ${key}, ${fingerprint}, now() + ${sql.lit(CLAIM_SECONDS)} * interval '1 second', now())
      on conflict (owner, key) do update
        set fingerprint = excluded.fingerprint, claimed_until = excluded.claimed_until,
          created_at = excluded.created_at, submission_id = null
        where (idempotency.submission_id is null and idempotency.claimed_until < now())
          or idempotency.created_at < now() - ${sql.lit(KEPT_DAYS)} * interval '1 day'
      returning key`.execute(db);
    if (claimed.rows.length === 1) return { submissionId: undefined };
    const other = await db
      .selectFrom("idempotency")
      .selectAll()
      .where("owner", "=", owner)
      .where("key", "=", key)
      .executeTakeFirst();
    if (other !== undefined && other.fingerprint !== fingerprint) throw conflict(other.submission_id);
    if (other?.submission_id != null) return { submissionId: other.submission_id };
    await sleep(POLL_MS, undefined, { signal });
  }
}

function conflict(submission: string | null): Problem {
  if (submission === null) return new Problem("idempotency_conflict");
  const message = `This Idempotency-Key became submission ${submission}, from which this request differs in metadata, endpoint, bucket, selection or dataset`;
  return new Problem("idempotency_conflict", message, { extra: { submission } });
}

/** Ties a claimed key to the submission that it became. */
export async function bindIdempotencyKey(db: Queries, owner: string, key: string, submissionId: string): Promise<void> {
  await db
    .updateTable("idempotency")
    .set({ submission_id: submissionId })
    .where("owner", "=", owner)
    .where("key", "=", key)
    .execute();
}

/** Gives a claimed key back: the request was refused. */
export async function freeIdempotencyKey(db: Queries, owner: string, key: string): Promise<void> {
  await db
    .deleteFrom("idempotency")
    .where("owner", "=", owner)
    .where("key", "=", key)
    .where("submission_id", "is", null)
    .execute();
}
