import { dropBefore } from "../db/chunks/attempts.ts";
import { checkQuota } from "../db/submissions/quota.ts";
import { changeStatus, lockSubmission, type SubmissionRow } from "../db/submissions/submissions.ts";
import { fail } from "../db/submissions/waiting.ts";
import { Problem } from "../domain/problems.ts";
import type { SourceAccess } from "../domain/source-access/access.ts";
import { sealAccess } from "../domain/source-access/sealed-access.ts";
import { renewedDigestState } from "../domain/submission/digest-state.ts";
import { fairShareGroup, QUEUES } from "../domain/submission/queues.ts";
import type { IntakeContext } from "./context.ts";
import { requireReadableBucket, withPayer } from "./credentials.ts";
import { requireStillNext } from "./next-version.ts";

/**
 * Starts a new attempt of a submission that failed or waits: the bucket is listed again, and stored objects whose key,
 * size and ETag are unchanged are kept. A waiting submission passes through `failed` in the same transaction.
 *
 * @throws Problem `wrong_state`, `retry_expired`, `credentials_required`, `source_check_failed`, `quota_exceeded`,
 * and of a new version `dataset_withdrawn`, `dataset_busy`, `dataset_moved_on`
 */
export async function retry(
  context: IntakeContext,
  found: SubmissionRow,
  sent: SourceAccess | undefined,
  signal: AbortSignal,
): Promise<void> {
  check(found, sent);
  const access = sent && withPayer(context, found, sent);
  if (access !== undefined) await requireReadableBucket(context, found, access, signal);
  await context.db.transaction().execute(async (trx) => {
    let row = await lockSubmission(trx, found.id);
    check(row, access);
    const ocflVersion = await requireStillNext(trx, row);
    // A waiting submission already counts as open.
    if (row.status === "failed") {
      await checkQuota(trx, context.quota, row.owner, { submissions: 1, objects: 1, bytes: 1 }, { submission: row.id });
    }
    const kept = { credentials: row.credentials, anonymous: row.anonymous };
    const staged = {
      objects_kept: Math.max(row.objects_kept, row.objects_stored - row.objects_unchanged),
      bytes_kept: Math.max(row.bytes_kept, row.bytes_stored - row.bytes_unchanged),
    };
    if (row.status === "waiting") {
      await fail(trx, row, new Problem("retry_requested"));
      row = await lockSubmission(trx, found.id);
      if (row === undefined) throw new Problem("internal_error", "A locked submission is missing in the database");
    }
    const attempt = row.attempt + 1;
    // Staged files are not reused after they were found to be damaged.
    const isDamaged = (row.failure as { code?: string } | null)?.code === "verification_failed";
    if (isDamaged) await dropBefore(trx, row.id, attempt);
    await changeStatus(
      trx,
      row,
      "accepted",
      { type: "retried", message: `Attempt ${attempt} starts; unchanged objects are not read again` },
      {
        ...fresh,
        ...staged,
        digests: row.digests === null ? null : JSON.stringify(renewedDigestState(row.digests)),
        attempt,
        ocfl_version: ocflVersion,
        ...(access === undefined ? kept : sealAccess(context.vault, row.id, access)),
      },
    );
    await context.jobs.enqueue(
      QUEUES.list,
      { key: row.id, data: { id: row.id, attempt }, group: fairShareGroup(row) },
      trx,
    );
  });
  context.jobs.wake(QUEUES.list);
}

/** Resets everything that an attempt determines. */
const fresh = {
  listing_complete: false,
  listing_position: null,
  relisting_position: null,
  objects_listed: 0,
  bytes_listed: 0,
  objects_stored: 0,
  bytes_stored: 0,
  objects_failed: 0,
  objects_differing: 0,
  objects_excluded: 0,
  bytes_excluded: 0,
  objects_unchanged: 0,
  bytes_unchanged: 0,
  marker_run: -1,
  transfer_started_at: null,
  transfer_started_bytes: 0,
  drift: "[]",
  drift_total: 0,
  last_wait: null,
  failure: null,
  finished_at: null,
} as const;

function check(row: SubmissionRow | undefined, access: SourceAccess | undefined): asserts row is SubmissionRow {
  if (row === undefined || !["failed", "waiting"].includes(row.status)) {
    throw new Problem("wrong_state", `A submission with the status ${row?.status ?? "“deleted”"} cannot be retried`);
  }
  if (!row.staged) throw new Problem("retry_expired");
  if (access === undefined && row.credentials === null && !row.anonymous) throw new Problem("credentials_required");
}
