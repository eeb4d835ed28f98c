import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { Queries } from "../database.ts";

const KEPT_DAYS = 30;
/** Minutes within which identical requests without a key give the same submission, also if it is completed. */
const IDENTICAL_MINUTES = 10;
/** A claim is renewed while its request runs. It is short, so that a crashed process does not block the key for long. */
const CLAIM_SECONDS = 30;
const RENEWAL_MS = 10_000;
const POLL_MS = 50;

/**
 * Claims a key for a request. Requests with the same content wait for the first one. Once it has become a submission, they
 * receive that submission.
 *
 * @throws Problem `idempotency_conflict` if the key was used for different content
 */
export async function claimIdempotencyKey(
  db: Queries,
  owner: string,
  key: string,
  fingerprint: string,
  signal: AbortSignal,
): Promise<Claim> {
  const isOver = sql<boolean>`idempotency.created_at < now() - ${sql.lit(KEPT_DAYS)} * interval '1 day'`;
  return claim(db, { owner, key, fingerprint, isOver }, signal);
}

/**
 * Claims the content of a request without a key, in the same way: an identical request receives the submission of the first
 * one, while that submission is open or was accepted within the last ten minutes. Submissions that failed, were cancelled,
 * or whose dataset was withdrawn do not count.
 */
export async function claimContent(db: Queries, owner: string, content: string, signal: AbortSignal): Promise<Claim> {
  // A submission that this statement cannot see yet was just accepted, so it must not count as ended.
  const isOver = sql<boolean>`exists (
    select from submission left join dataset on dataset.id = submission.dataset_id
    where submission.id = idempotency.submission_id and (
      submission.status in ('failed', 'cancelled')
      or submission.status = 'completed' and (
        submission.created_at < now() - ${sql.lit(IDENTICAL_MINUTES)} * interval '1 minute'
        or dataset.withdrawn_at is not null
      )
    )
  )`;
  return claim(db, { owner, key: content, fingerprint: content, isOver }, signal);
}

/** The earlier submission, or what the caller has claimed. */
type Claim = { submissionId: string } | { claimed: ClaimedKey };

/** A claim on a key. `at` tells it from earlier and later claims, in microseconds since 1970. */
export interface ClaimedKey {
  owner: string;
  key: string;
  at: string;
}

const CLAIMED_AT = sql<string>`(extract(epoch from idempotency.created_at) * 1000000)::bigint::text`;

interface Claimed {
  owner: string;
  key: string;
  fingerprint: string;
  /** Whether the submission of the key no longer counts. */
  isOver: RawBuilder<boolean>;
}

async function claim(db: Queries, { owner, key, fingerprint, isOver }: Claimed, signal: AbortSignal): Promise<Claim> {
  for (;;) {
    const claimed = await sql<{ at: string }>`
      insert into idempotency (owner, key, fingerprint, claimed_until, created_at)
      values (${owner}, ${key}, ${fingerprint}, now() + ${sql.lit(CLAIM_SECONDS)} * interval '1 second', now())
      on conflict (owner, key) do update
        set fingerprint = excluded.fingerprint, claimed_until = excluded.claimed_until,
          created_at = excluded.created_at, submission_id = null
        where (idempotency.submission_id is null and idempotency.claimed_until < now()) or ${isOver}
      returning ${CLAIMED_AT} as at`.execute(db);
    const [row] = claimed.rows;
    if (row !== undefined) return { claimed: { owner, key, at: row.at } };
    const other = await db
      .selectFrom("idempotency")
      .selectAll()
      .where((eb) => eb.and({ owner, key }))
      .executeTakeFirst();
    if (other !== undefined && other.fingerprint !== fingerprint) throw conflict(other.submission_id);
    if (other?.submission_id != null) return { submissionId: other.submission_id };
    await sleep(POLL_MS, undefined, { signal });
  }
}

function conflict(submission: string | null): Problem {
  if (submission === null) return new Problem("idempotency_conflict");
  const message = `The Idempotency-Key was used for submission ${submission}. This request differs from it in metadata, endpoint, bucket, selection or dataset`;
  return new Problem("idempotency_conflict", message, { extra: { submission } });
}

/** Keeps a claim until the work is done. A process that was suspended for longer may have lost it, see {@link bindClaim}. */
export async function keepingClaim<T>(db: Queries, claim: ClaimedKey, work: Promise<T>): Promise<T> {
  let renewing = Promise.resolve();
  const renew = async () => {
    await sql`
      update idempotency set claimed_until = now() + ${sql.lit(CLAIM_SECONDS)} * interval '1 second'
      where ${ownClaim(claim)}`.execute(db);
  };
  // Without a renewal the claim may be lost, which is found when it is bound.
  const timer = setInterval(() => {
    renewing = renew().catch(() => undefined);
  }, RENEWAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    await renewing;
  }
}

/** Associates a claimed key with its submission. @returns false if another request has claimed it meanwhile */
export async function bindClaim(db: Queries, claim: ClaimedKey, submissionId: string): Promise<boolean> {
  const bound = await sql`update idempotency set submission_id = ${submissionId} where ${ownClaim(claim)}`.execute(db);
  return bound.numAffectedRows === 1n;
}

function ownClaim({ owner, key, at }: ClaimedKey): RawBuilder<boolean> {
  return sql<boolean>`owner = ${owner} and key = ${key} and submission_id is null and ${CLAIMED_AT} = ${at}`;
}

/** Records this submission as the latest with its content, whether its request had a key or not. */
export async function bindContent(db: Queries, owner: string, content: string, submissionId: string): Promise<void> {
  const now = new Date();
  const row = { fingerprint: content, submission_id: submissionId, claimed_until: now, created_at: now };
  await db
    .insertInto("idempotency")
    .values({ owner, key: content, ...row })
    .onConflict((conflict) => conflict.columns(["owner", "key"]).doUpdateSet(row))
    .execute();
}

/** Deletes keys that can no longer be used: they have expired, and their submission has ended. */
export async function deleteExpiredKeys(db: Queries): Promise<void> {
  await sql`
    delete from idempotency
    where created_at < now() - ${sql.lit(KEPT_DAYS)} * interval '1 day' and claimed_until < now()
      and not exists (
        select from submission where submission.id = idempotency.submission_id
          and submission.status not in ('completed', 'failed', 'cancelled')
      )`.execute(db);
}

/** Releases a claimed key after its request was refused. */
export async function freeClaim(db: Queries, claim: ClaimedKey): Promise<void> {
  await sql`delete from idempotency where ${ownClaim(claim)}`.execute(db);
}
