import type { StagingArea } from "../../archive/store.ts";
import { addEvent } from "../../db/events.ts";
import { type Outcome, recordOutcomes } from "../../db/outcomes.ts";
import { lockSubmission } from "../../db/submissions.ts";
import { several } from "../../submission/numbers.ts";
import { isActive, QUEUES, type Status } from "../../submission/states.ts";
import { queueNext } from "../chunk-jobs.ts";
import type { StepContext, Work } from "../context.ts";

/** A chunk is written as a whole, so as seldom as may be: a quick one once, a slow one once a second. */
const BATCH_OBJECTS = 500;
const BATCH_MS = 1_000;
/** Unreadable objects that an event names; all of them are in the files list. */
const NAMED_IN_EVENT = 20;

/**
 * Collects the outcomes of a chunk and records them in batches: first the contents are made durable, then the database
 * says so. The last one finishes the chunk and queues the next.
 */
export class Ledger {
  readonly #context: StepContext;
  readonly #work: Work & { chunk: number };
  readonly #area: StagingArea;
  readonly #over: () => void;
  readonly #started = new Date();
  #batch: Outcome[] = [];
  #began = Date.now();
  #recording: Promise<void> | undefined;

  /** @param over told when the attempt turns out to be over */
  constructor(context: StepContext, work: Work & { chunk: number }, area: StagingArea, over: () => void) {
    this.#context = context;
    this.#work = work;
    this.#area = area;
    this.#over = over;
  }

  /**
   * Takes an outcome. When a batch is full while the one before it is being recorded it resolves late, so that what
   * would have to be read again after a crash stays below two batches.
   */
  async add(outcome: Outcome): Promise<void> {
    if (this.#batch.length === 0) this.#began = Date.now();
    this.#batch.push(outcome);
    if (this.#batch.length >= BATCH_OBJECTS || Date.now() - this.#began > BATCH_MS) await this.#flush();
  }

  /** Records the rest. */
  async close(): Promise<void> {
    while (this.#batch.length > 0 || this.#recording !== undefined) await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#recording ??= this.#record(this.#batch.splice(0)).finally(() => {
      this.#recording = undefined;
    });
    await this.#recording;
  }

  async #record(batch: Outcome[]): Promise<void> {
    if (batch.length === 0) return;
    const { id, attempt, chunk } = this.#work;
    await this.#area.sync();
    const recorded = await this.#context.db.transaction().execute(async (trx) => {
      const row = await lockSubmission(trx, id);
      if (row?.attempt !== attempt) return undefined;
      const active = isActive(row.status as Status);
      if (!active && row.status !== "waiting") return undefined;
      const { stored, bytes, failed, left } = await recordOutcomes(trx, id, attempt, chunk, batch);
      const now = new Date();
      await trx
        .updateTable("submission")
        .set((eb) => ({
          objects_stored: eb("objects_stored", "+", stored),
          bytes_stored: eb("bytes_stored", "+", bytes),
          objects_failed: eb("objects_failed", "+", failed),
          md5_proven: row.md5_proven || batch.some((one) => one.state === "stored" && one.verifiedBy === "md5"),
          first_read_at: row.first_read_at ?? this.#started,
          last_read_at: now,
          updated_at: now,
        }))
        .where("id", "=", id)
        .execute();
      if (failed > 0) await addEvent(trx, id, unreadable(batch));
      // One that waits holds no job; when it goes on, the reconciler queues what is open.
      if (left === 0 && active) await queueNext(this.#context, this.#work, trx);
      return { isFinished: left === 0 };
    });
    if (recorded === undefined) this.#over();
    else if (recorded.isFinished) this.#context.jobs.wake(QUEUES.transfer);
  }
}

function unreadable(batch: Outcome[]): { type: string; message: string; data: object } {
  const failed = batch.filter((one) => one.state === "failed");
  const message =
    failed.length === 1
      ? (failed[0]?.error.message ?? "")
      : `${several(failed.length, "object")} cannot be read, the first: ${failed[0]?.error.message ?? ""}`;
  return {
    type: "objects_unreadable",
    message,
    data: { count: failed.length, objects: failed.slice(0, NAMED_IN_EVENT).map(({ error }) => error) },
  };
}
