import { type Code, catalogue, type Problem } from "../../domain/problems.ts";
import type { ActiveStatus } from "../../domain/states.ts";
import { changeStatus, type SubmissionRow, type Trx } from "./submissions.ts";

/** Why a submission stands still or ended, as the API shows it. Times are ISO 8601. */
export interface Standstill {
  code: Code;
  fault: string;
  message: string;
  action: string;
  retryable: boolean;
  since: string;
  until: string | null;
}

/** Sets when a waiting submission is looked at again. @param probes how often that was already done */
export async function postponeProbe(trx: Trx, id: string, probes: number, at: Date): Promise<void> {
  await trx.updateTable("submission").set({ probes, probe_at: at }).where("id", "=", id).execute();
}

/** Days that a submission waits for a cause before it fails. */
export interface WaitingDays {
  days: number;
  /** Milliseconds until the cause is looked at again; absent when only a person can end it. */
  probeInMs?: number;
}

/** Lets an active submission wait: it then holds no job and no connection until somebody or a probe resumes it. */
export async function wait(trx: Trx, row: SubmissionRow, problem: Problem, patience: WaitingDays): Promise<void> {
  const now = new Date();
  const again = row.last_wait as LastWait | null;
  // For the same cause, and nothing has come of it: the patience is that of the first time.
  const same = again?.code === problem.code && again.attempt === row.attempt && again.stored === row.objects_stored;
  const since = same ? new Date(again.since) : now;
  const until = new Date(since.getTime() + patience.days * 86_400_000);
  const probes = same ? again.probes + 1 : 0;
  const lastWait: LastWait = {
    code: problem.code,
    attempt: row.attempt,
    stored: row.objects_stored,
    since: since.toISOString(),
    probes,
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
      probe_at:
        patience.probeInMs === undefined
          ? null
          : new Date(now.getTime() + Math.min(patience.probeInMs * 2 ** probes, LONGEST_PROBE_MS)),
    },
  );
}

const LONGEST_PROBE_MS = 3_600_000;

interface LastWait {
  code: string;
  attempt: number;
  stored: number;
  since: string;
  probes: number;
}

/** Lets a waiting submission go on where it was. */
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

/** Ends an attempt for good. */
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

function standstill(problem: Problem, since: Date, until: Date | null): Standstill {
  return {
    code: problem.code,
    fault: problem.fault,
    message: problem.message,
    action: catalogue[problem.code].action,
    retryable: problem.retryable,
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
  };
}
