import type { SpaceReservation, StagingArea } from "../../archive/store.ts";
import type { ChunkRevision } from "../../db/chunks/chunk-revision.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import type { OutcomeBatch } from "../../db/chunks/outcome-batch.ts";
import { recordBatch } from "../../db/chunks/outcomes.ts";
import { addToCounts } from "../../db/submissions/counts.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { lockSubmission } from "../../db/submissions/submissions.ts";
import { several } from "../../domain/numbers.ts";
import type { LogEntry } from "../../domain/submission/events.ts";
import { QUEUES } from "../../domain/submission/queues.ts";
import { isActive, type Status } from "../../domain/submission/states.ts";
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
  /** The chunk as this worker read and then recorded it; undefined if something else has changed it. */
  #known: ChunkRevision | undefined;
  readonly #started = new Date();
  readonly #sum = { stored: 0, bytes: 0, failed: 0 };

  constructor(
    context: StepContext,
    work: AttemptRef & { chunk: number },
    known: ChunkRevision,
    place: ChunkDestination,
  ) {
    this.#known = known;
    this.#context = context;
    this.#work = work;
    this.#place = place;
    this.#objects = new Map(place.objects.map((object) => [object.seq, object]));
  }

  async record(batch: OutcomeBatch): Promise<void> {
    const { id, attempt, chunk: no } = this.#work;
    await this.#place.area.sync(this.#placed(batch));
    const recorded = await this.#context.db.transaction().execute(async (trx) => {
      const row = await lockSubmission(trx, id);
      if (row?.attempt !== attempt) return undefined;
      const active = isActive(row.status as Status);
      if (!active && row.status !== "waiting") return undefined;
      const chunk = { no, known: this.#known };
      const { stored, bytes, failed, left, known } = await recordBatch(trx, id, attempt, chunk, batch);
      const now = new Date();
      await addToCounts(
        trx,
        id,
        {
          objects_stored: stored,
          bytes_stored: bytes,
          objects_failed: failed,
          objects_differing: Math.min(failed, differing(batch)),
        },
        {
          md5_proven: row.md5_proven || batch.md5Proven,
          first_read_at: row.first_read_at ?? this.#started,
          last_read_at: now,
          ...(stored > 0 && { source_heard_at: now, source_silent_since: null }),
          updated_at: now,
        },
      );
      if (failed > 0) await addEvent(trx, id, unreadable(batch));
      // A waiting submission has no jobs. When it resumes, the reconciler queues its open chunks.
      if (left === 0 && active) await queueNext(this.#context, row, trx);
      return { stored, bytes, failed, known, isFinished: left === 0 };
    });
    if (recorded === undefined) {
      this.#place.over();
      return;
    }
    this.#known = recorded.known;
    this.#tell(recorded, batch);
    if (recorded.isFinished) this.#context.jobs.wake(QUEUES.transfer);
  }

  /** Updates metrics and the job’s span, only after the outcomes are recorded. */
  #tell(
    { stored, bytes, failed }: { stored: number; bytes: number; failed: number },
    { failures }: OutcomeBatch,
  ): void {
    const { metrics, tracing } = this.#context;
    metrics.stored(stored, bytes);
    if (failed > 0) for (const { code } of failures) metrics.unreadable(code);
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
  #placed({ seqs, failures, displaced }: OutcomeBatch): string[] {
    const failed = new Set(failures.map(({ seq }) => seq));
    const pathOf = new Map(displaced.map(({ seq, path }) => [seq, path]));
    return seqs.flatMap((seq) => {
      const object = this.#objects.get(seq);
      if (failed.has(seq) || object === undefined) return [];
      this.#place.hold.use(object.bytes);
      return [pathOf.get(seq) ?? `data/${object.key}`];
    });
  }
}

function differing({ failures }: OutcomeBatch): number {
  return failures.filter(({ code }) => code === "digest_differs").length;
}

function unreadable({ failures }: OutcomeBatch): LogEntry {
  const errors = failures.map(({ code, message }) => ({ code, message }));
  const first = errors[0]?.message ?? "";
  return {
    type: "objects_unreadable",
    message:
      errors.length === 1 ? first : `${several(errors.length, "object")} cannot be archived. The first: ${first}`,
    data: { count: errors.length, objects: errors.slice(0, NAMED_IN_EVENT) },
  };
}
