import type { SpaceReservation, StagingArea } from "../../archive/store.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { type Outcome, recordOutcomes } from "../../db/chunks/outcomes.ts";
import { addToCounts } from "../../db/submissions/counts.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { lockSubmission } from "../../db/submissions/submissions.ts";
import type { LogEntry } from "../../domain/events.ts";
import { several } from "../../domain/numbers.ts";
import { QUEUES } from "../../domain/queues.ts";
import { isActive, type Status } from "../../domain/states.ts";
import { queueNext } from "../chunk-jobs.ts";
import type { AttemptRef, StepContext } from "../context.ts";

/** Maximum number of unreadable objects named in an event. The files list contains all of them. */
const NAMED_IN_EVENT = 20;

/** The staging area for the content of a chunk. */
interface ChunkDestination {
  area: StagingArea;
  hold: SpaceReservation;
  objects: readonly ObjectRecord[];
  /** Called when the attempt is found to be over. */
  over: () => void;
}

/**
 * Records the outcomes of a chunk's objects. Files and names are made durable before the database records them. The last
 * outcome finishes the chunk and queues the next.
 */
export class OutcomeRecorder {
  readonly #context: StepContext;
  readonly #work: AttemptRef & { chunk: number };
  readonly #place: ChunkDestination;
  readonly #objects: ReadonlyMap<number, ObjectRecord>;
  readonly #started = new Date();
  readonly #sum = { stored: 0, bytes: 0, failed: 0 };

  constructor(context: StepContext, work: AttemptRef & { chunk: number }, place: ChunkDestination) {
    this.#context = context;
    this.#work = work;
    this.#place = place;
    this.#objects = new Map(place.objects.map((object) => [object.seq, object]));
  }

  async record(batch: Outcome[]): Promise<void> {
    const { id, attempt, chunk } = this.#work;
    await this.#place.area.sync(this.#placed(batch));
    const recorded = await this.#context.db.transaction().execute(async (trx) => {
      const row = await lockSubmission(trx, id);
      if (row?.attempt !== attempt) return undefined;
      const active = isActive(row.status as Status);
      if (!active && row.status !== "waiting") return undefined;
      const { stored, bytes, failed, left } = await recordOutcomes(trx, id, attempt, chunk, batch);
      const now = new Date();
      await addToCounts(
        trx,
        id,
        { objects_stored: stored, bytes_stored: bytes, objects_failed: failed },
        {
          md5_proven: row.md5_proven || batch.some((one) => one.state === "stored" && one.verifiedBy === "md5"),
          first_read_at: row.first_read_at ?? this.#started,
          last_read_at: now,
          ...(stored > 0 && { source_heard_at: now, source_silent_since: null }),
          updated_at: now,
        },
      );
      if (failed > 0) await addEvent(trx, id, unreadable(batch));
      // A waiting submission has no jobs. When it resumes, the reconciler queues its open chunks.
      if (left === 0 && active) await queueNext(this.#context, row, trx);
      return { stored, bytes, failed, isFinished: left === 0 };
    });
    if (recorded === undefined) {
      this.#place.over();
      return;
    }
    this.#tell(recorded, batch);
    if (recorded.isFinished) this.#context.jobs.wake(QUEUES.transfer);
  }

  /** Updates metrics and the job’s span, only after the outcomes are recorded. */
  #tell({ stored, bytes, failed }: { stored: number; bytes: number; failed: number }, batch: Outcome[]): void {
    const { metrics, tracing } = this.#context;
    metrics.stored(stored, bytes);
    if (failed > 0) for (const one of batch) if (one.state === "failed") metrics.unreadable(one.error.code);
    this.#sum.stored += stored;
    this.#sum.bytes += bytes;
    this.#sum.failed += failed;
    tracing.note({
      "accession.objects.stored": this.#sum.stored,
      "accession.bytes.stored": this.#sum.bytes,
      "accession.objects.failed": this.#sum.failed,
    });
  }

  /** Paths of the stored objects of a batch. Their bytes are no longer counted as outstanding. */
  #placed(batch: Outcome[]): string[] {
    return batch.flatMap((outcome) => {
      const object = this.#objects.get(outcome.seq);
      if (outcome.state !== "stored" || object === undefined) return [];
      this.#place.hold.use(object.bytes);
      return [outcome.contentPath ?? `data/${object.key}`];
    });
  }
}

function unreadable(batch: Outcome[]): LogEntry {
  const failed = batch.filter((one) => one.state === "failed");
  const message =
    failed.length === 1
      ? (failed[0]?.error.message ?? "")
      : `${several(failed.length, "object")} cannot be read. The first: ${failed[0]?.error.message ?? ""}`;
  return {
    type: "objects_unreadable",
    message,
    data: { count: failed.length, objects: failed.slice(0, NAMED_IN_EVENT).map(({ error }) => error) },
  };
}
