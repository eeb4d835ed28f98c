import { reclaimRoom } from "../db/reclaim.ts";
import { fail, lockSubmission, type OpenSubmission, openSubmissions } from "../db/submissions.ts";
import { type Code, catalogue, Problem } from "../submission/problems.ts";
import { QUEUES, type Status } from "../submission/states.ts";
import { advance } from "./advance.ts";
import { type AuditPlan, queueChores } from "./chores.ts";
import { queueWindow } from "./chunk-jobs.ts";
import type { StepContext } from "./context.ts";

const TICK_MS = 1_000;
/** Chunks that lost their job are rare: it takes a job that failed for good, or that the queue forgot. */
const CHUNKS_EVERY_TICKS = 30;
const RECLAIM_EVERY_TICKS = 60;
const CLEAN_EVERY_TICKS = 600;
const CHORES_EVERY_TICKS = 2;
const WENT_ON_MS = 5 * TICK_MS;

/**
 * Keeps the queues equal to the tables. The tables are the truth: whatever work they say is missing is queued, which
 * does nothing where it already waits or runs. Any number of processes may do this.
 */
export class Reconciler {
  readonly #context: StepContext;
  readonly #retentionMs: number;
  readonly #audits: AuditPlan;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #tick = 0;
  #stopped = false;

  constructor(context: StepContext, options: { retentionMs: number; audits: AuditPlan }) {
    this.#context = context;
    this.#retentionMs = options.retentionMs;
    this.#audits = options.audits;
  }

  /** The first round is done when this resolves. */
  async start(): Promise<void> {
    await this.#round();
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #next(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#round()
        .catch((error: unknown) => this.#context.log.error({ err: error }, "the reconciler failed; it tries again"))
        .then(() => this.#next());
    }, TICK_MS);
  }

  async #round(): Promise<void> {
    const chunks = this.#tick % CHUNKS_EVERY_TICKS === 0;
    const reclaim = this.#tick % RECLAIM_EVERY_TICKS === 0;
    const chores = this.#tick % CHORES_EVERY_TICKS === 0;
    const clean = this.#tick % CLEAN_EVERY_TICKS === 0;
    this.#tick++;
    const open = await openSubmissions(this.#context.db);
    for (const row of open) {
      if (this.#stopped) return;
      await queueWhatIsMissing(this.#context, row, chunks);
    }
    if (reclaim && open.length > 0) await reclaimRoom(this.#context.db);
    if (chores) await queueChores(this.#context, this.#audits);
    if (clean) await cleanStaging(this.#context, this.#retentionMs);
  }
}

async function queueWhatIsMissing(context: StepContext, row: OpenSubmission, chunks: boolean): Promise<void> {
  const { id, attempt } = row;
  const queue = async (name: string) => {
    await context.jobs.enqueue(name, id, { id, attempt });
    context.jobs.wake(name);
  };
  switch (row.status as Status) {
    case "accepted":
    case "listing":
      await queue(QUEUES.list);
      if (chunks || wentOn(row)) await queueWindow(context, row);
      return;
    case "transferring":
      if (chunks || wentOn(row)) await queueWindow(context, row);
      await advance(context, row);
      return;
    case "verifying":
      await queue(QUEUES.verify);
      return;
    case "packaging":
      await queue(QUEUES.package);
      return;
    case "waiting":
      await lookAtWaiting(context, row, queue);
      return;
    default:
      return;
  }
}

/** A submission that has just gone on after a wait: its chunks lost their jobs when it stopped. */
function wentOn(row: OpenSubmission): boolean {
  return row.transfer_started_at !== null && Date.now() - row.transfer_started_at.getTime() < WENT_ON_MS;
}

async function lookAtWaiting(
  context: StepContext,
  row: OpenSubmission,
  queue: (name: string) => Promise<void>,
): Promise<void> {
  const { until, code } = row.waiting as { until: string | null; code: Code };
  const now = Date.now();
  if (until !== null && Date.parse(until) <= now) {
    await context.db.transaction().execute(async (trx) => {
      const locked = await lockSubmission(trx, row.id);
      if (locked?.status !== "waiting" || locked.attempt !== row.attempt) return;
      const why = `The submission waited too long: ${catalogue[code].title.toLowerCase()}`;
      await fail(trx, locked, new Problem("waited_too_long", why));
    });
  } else if (row.probe_at !== null && row.probe_at.getTime() <= now) await queue(QUEUES.probe);
}

/**
 * Removes what is staged for submissions that are over, and for failed ones once their time is up; with it go the
 * credentials that a failed one may have been given for a retry. Folders of submissions that this database does not
 * know are left alone: they may be another's.
 */
async function cleanStaging(context: StepContext, retentionMs: number): Promise<void> {
  const oldest = new Date(Date.now() - retentionMs);
  await context.db
    .updateTable("submission")
    .set({ staged: false, credentials: null })
    .where("status", "=", "failed")
    .where("staged", "=", true)
    .where("finished_at", "<", oldest)
    .execute();
  for (const id of await context.store.staged()) {
    const over = await context.db
      .selectFrom("submission")
      .select("id")
      .where("id", "=", id)
      .where("staged", "=", false)
      .where("status", "in", ["completed", "cancelled", "failed"])
      .executeTakeFirst();
    if (over !== undefined) await context.store.discard(id);
  }
}
