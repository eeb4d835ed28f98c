import { deleteExpiredKeys } from "../db/coordination/idempotency.ts";
import type { PeriodicLock } from "../db/coordination/periodic-lock.ts";
import { removeEndedDigests } from "../db/submissions/digests.ts";
import { lockSubmission, type OpenSubmission, openSubmissions } from "../db/submissions/submissions.ts";
import { fail } from "../db/submissions/waiting.ts";
import { type Code, catalogue, Problem } from "../domain/problems.ts";
import { fairShareGroup, QUEUES } from "../domain/submission/queues.ts";
import type { Status } from "../domain/submission/states.ts";
import { giveNotices } from "../publication/service/notices.ts";
import { advance } from "./advance.ts";
import { type AuditPlan, queueArchiveJobs } from "./archive-jobs.ts";
import { queueWindow } from "./chunk-jobs.ts";
import type { StepContext } from "./context.ts";
import { queueDiscards } from "./discard-staging.ts";
import { removeUploads } from "./remove-uploads.ts";
import { warnOfExpiry } from "./warn-of-expiry.ts";

const TICK_MS = 1_000;
/** Lock time of a round, which one process runs. Slightly shorter than the interval between rounds, or every other round would be skipped. */
const ROUND_MS = 900;
/** Interval of the search for chunks without a job. They are rare: the job failed for good, or the queue lost it. */
const CHUNKS_MS = 30_000;
const MAINTAIN_MS = 60_000;
const CLEAN_MS = 600_000;
const CHORES_MS = 2_000;
/** Interval of the search for reminders, ending embargoes, and uploads that expire. */
const NOTICES_MS = 60_000;
const EXPIRED_KEYS_MS = 3_600_000;
const WENT_ON_MS = 5 * TICK_MS;

interface ReconcilerOptions {
  /** How long the staged content of a failed submission is kept. */
  retentionMs: number;
  audits: AuditPlan;
  /** Decides which of several processes does this. */
  periodicLock: PeriodicLock;
  /** Queues due notifications. */
  queueNotices: () => Promise<void>;
  /** Does for the database what it does not do automatically. */
  maintain?: () => Promise<void>;
}

/**
 * Keeps the queues consistent with the tables. The tables decide: work that they list as due is queued, unless it is
 * already queued or running. Any number of processes may run the reconciler; the periodic lock lets one of them do each task.
 */
export class Reconciler {
  readonly #context: StepContext;
  readonly #options: ReconcilerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #cleaning: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(context: StepContext, options: ReconcilerOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Resolves when the first round is done. */
  async start(): Promise<void> {
    await this.#round();
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#cleaning;
  }

  #next(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#round()
        .catch((error: unknown) => this.#context.log.error({ err: error }, "the reconciler failed; it will retry"))
        .then(() => this.#next());
    }, TICK_MS);
  }

  async #round(): Promise<void> {
    const { periodicLock, audits, retentionMs, queueNotices, maintain } = this.#options;
    const context = this.#context;
    if (!(await periodicLock.acquire("round", ROUND_MS))) return;
    const isForChunks = await periodicLock.acquire("chunks", CHUNKS_MS);
    const open = await openSubmissions(context.db);
    await queueMissingJobs(context, open);
    for (const row of open) {
      if (this.#stopped) return;
      if (row.status === "waiting") await lookAtWaiting(context, row);
      else if (isForChunks || wentOn(row)) await goOn(context, row);
    }
    await queueNotices();
    if (maintain !== undefined && (await periodicLock.acquire("maintain", MAINTAIN_MS))) await maintain();
    if (await periodicLock.acquire("chores", CHORES_MS)) await queueArchiveJobs(context, audits);
    if (await periodicLock.acquire("publication notices", NOTICES_MS)) {
      await giveNotices(context);
      await warnOfExpiry(context);
    }
    if (await periodicLock.acquire("expired keys", EXPIRED_KEYS_MS)) await deleteExpiredKeys(context.db);
    if (await periodicLock.acquire("clean", CLEAN_MS)) this.#clean(retentionMs);
  }

  /** Queues removals without waiting for them: a slow or failing archive must neither delay nor end the round. */
  #clean(retentionMs: number): void {
    const { log } = this.#context;
    this.#cleaning = queueDiscards(this.#context, retentionMs)
      .catch((error: unknown) => log.warn({ err: error }, "the staging areas cannot be listed; the service will retry"))
      .then(() => removeEndedDigests(this.#context.db))
      .catch((error: unknown) => log.warn({ err: error }, "digest lists cannot be removed; the service will retry"))
      .then(() => removeUploads(this.#context))
      .catch((error: unknown) => log.warn({ err: error }, "uploads cannot be removed; the service will retry"));
  }
}

/** The step whose job a submission must have in each status. */
const stepOf: Partial<Record<Status, string>> = {
  accepted: QUEUES.list,
  listing: QUEUES.list,
  verifying: QUEUES.verify,
  packaging: QUEUES.package,
};

/** Queues all in one query: there may be thousands of open submissions, and most of them have their job. */
async function queueMissingJobs(context: StepContext, open: readonly OpenSubmission[]): Promise<void> {
  const now = Date.now();
  for (const queue of [...new Set(Object.values(stepOf)), QUEUES.probe]) {
    const rows = open.filter((row) =>
      queue === QUEUES.probe ? isToBeProbed(row, now) : stepOf[row.status as Status] === queue,
    );
    if (rows.length === 0) continue;
    await context.jobs.enqueueAll(
      queue,
      rows.map((row) => ({ key: row.id, data: { id: row.id, attempt: row.attempt }, group: fairShareGroup(row) })),
    );
    context.jobs.wake(queue);
  }
}

/** Queues the jobs of open chunks. A submission without open chunks continues with the next step. */
async function goOn(context: StepContext, row: OpenSubmission): Promise<void> {
  if (row.status !== "listing" && row.status !== "transferring") return;
  await queueWindow(context, row);
  await advance(context, row);
}

/** Whether a submission has just resumed: its chunks lost their jobs when it stopped. */
function wentOn(row: OpenSubmission): boolean {
  return row.transfer_started_at !== null && Date.now() - row.transfer_started_at.getTime() < WENT_ON_MS;
}

function isToBeProbed(row: OpenSubmission, now: number): boolean {
  return row.status === "waiting" && !isOver(row, now) && row.probe_at !== null && row.probe_at.getTime() <= now;
}

function isOver({ waiting }: OpenSubmission, now: number): boolean {
  const { until } = waiting as { until: string | null };
  return until !== null && Date.parse(until) <= now;
}

async function lookAtWaiting(context: StepContext, row: OpenSubmission): Promise<void> {
  if (!isOver(row, Date.now())) return;
  const { code } = row.waiting as { code: Code };
  await context.db.transaction().execute(async (trx) => {
    const locked = await lockSubmission(trx, row.id);
    if (locked?.status !== "waiting" || locked.attempt !== row.attempt) return;
    const why = `The problem was not fixed in time: ${catalogue[code].title.toLowerCase()}`;
    await fail(trx, locked, new Problem("waited_too_long", why));
  });
}
