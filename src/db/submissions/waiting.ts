import { FIRST_PROBE_MS } from "../../domain/problems/entry.ts";
import { type Code, Problem, type WaitingCode, waitingPeriod } from "../../domain/problems.ts";
import type { ActiveStatus } from "../../domain/submission/states.ts";
import { pauseAfter } from "../../platform/back-off.ts";
import { changeStatus, type SubmissionRow, type Trx } from "./submissions.ts";

/** Why a submission waits or failed, as the API shows it. Times are ISO 8601. */
export interface WaitingReason {
  code: Code;
  fault: string;
  message: string;
  action: string;
  retryable: boolean;
  since: string;
  until: string | null;
}

/** When a waiting submission is probed after this number of probes. */
function nextProbe(probes: number, firstMs = FIRST_PROBE_MS): Date {
  return new Date(Date.now() + pauseAfter(probes + 1, { firstMs, longestMs: 3_600_000 }));
}

/** Sets the time of the next probe of a waiting submission. @param probes number of probes so far */
export async function postponeProbe(trx: Trx, id: string, probes: number): Promise<void> {
  await trx
    .updateTable("submission")
    .set({ probes, probe_at: nextProbe(probes) })
    .where("id", "=", id)
    .execute();
}

/**
 * Makes an active submission wait under a code, for as long as the error catalogue says. It then holds no job and no
 * connection until a person or a probe resumes it.
 *
 * @param cause.scratchBytes of the temporary file for which there was not enough space, if this is the cause
 */
export async function wait(
  trx: Trx,
  row: SubmissionRow,
  code: WaitingCode,
  { message, scratchBytes }: { message: string; scratchBytes?: number | undefined },
): Promise<void> {
  const { days, daysIfCommitted = days, probeInMs } = waitingPeriod(code);
  const now = new Date();
  const last = row.last_wait as LastWait | null;
  // No progress since it last waited under this code: the original deadline still applies.
  const isSame = last?.code === code && last.attempt === row.attempt && last.stored === row.objects_stored;
  const since = isSame ? new Date(last.since) : now;
  const longest = row.published_at === null ? days : daysIfCommitted;
  const until = new Date(since.getTime() + longest * 86_400_000);
  const probes = isSame ? last.probes + 1 : 0;
  const problem = new Problem(code, message);
  const lastWait: LastWait = {
    code,
    attempt: row.attempt,
    stored: row.objects_stored,
    since: since.toISOString(),
    probes,
    ...(scratchBytes !== undefined && { scratchBytes }),
  };
  await changeStatus(
    trx,
    row,
    "waiting",
    { type: "waiting", message: problem.message, data: { code: problem.code, fault: problem.fault } },
    {
      resume_status: row.status,
      waiting: JSON.stringify(standstill(problem, since, until)),
      last_wait: JSON.stringify(lastWait),
      probes,
      probe_at: probeInMs === undefined ? null : nextProbe(probes, probeInMs),
    },
  );
}

interface LastWait {
  code: string;
  attempt: number;
  stored: number;
  since: string;
  probes: number;
  /** Of the temporary file for which there was not enough space, if this was the cause. */
  scratchBytes?: number;
}

/** The bytes of the temporary file for which there was not enough space when the submission last stopped; undefined for other causes. */
export function scratchBytesOf({ last_wait }: SubmissionRow): number | undefined {
  return (last_wait as LastWait | null)?.scratchBytes;
}

/** Returns a waiting submission to the state in which it stopped. */
export async function resume(trx: Trx, row: SubmissionRow, message: string): Promise<void> {
  const back = row.resume_status as ActiveStatus;
  await changeStatus(
    trx,
    row,
    back,
    { type: "resumed", message },
    {
      resume_status: null,
      waiting: null,
      probe_at: null,
      probes: 0,
      transfer_started_at: new Date(),
      transfer_started_bytes: row.bytes_stored,
    },
  );
}

/** Fails the current attempt. */
export async function fail(trx: Trx, row: SubmissionRow, problem: Problem): Promise<void> {
  const now = new Date();
  await changeStatus(
    trx,
    row,
    "failed",
    { type: "failed", message: problem.message, data: { code: problem.code, fault: problem.fault } },
    {
      resume_status: null,
      waiting: null,
      probe_at: null,
      finished_at: now,
      failure: JSON.stringify(standstill(problem, now, null)),
    },
  );
}

function standstill(problem: Problem, since: Date, until: Date | null): WaitingReason {
  return {
    code: problem.code,
    fault: problem.fault,
    message: problem.message,
    action: problem.action,
    retryable: problem.retryable,
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
  };
}
