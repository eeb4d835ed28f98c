import { setTimeout as sleep } from "node:timers/promises";
import type { JobWithMetadata, PgBoss } from "pg-boss";
import { BACK_OFFS, pauseAfter } from "../back-off.ts";
import type { Log, Queue } from "./queue.ts";

/** The data of a job: its input, and the number of its failures. Crashed workers are counted by pg-boss. */
export interface JobData<Data = never> {
  work: Data;
  failures: number;
  /** The trace in which it was queued. */
  trace?: string;
}
type Fetched = JobWithMetadata<JobData>;

/** Seconds without a heartbeat after which a job is taken from its worker; the minimum of pg-boss. */
export const HEARTBEAT_SECONDS = 10;
const BEAT_MS = (HEARTBEAT_SECONDS * 1000) / 4;
/** Number of failures after which a job is given up. */
const MOST_FAILURES = 6;
/** Number of crashed workers after which a job is given up, because the job may be the cause. */
export const MAX_WORKER_DEATHS = 8;
/** Steps of parallel jobs per group: a group gets a second parallel job only if no other group waits for its first, and so on. */
const SHARES = [1, 2, 4, 8, 16, 32, Number.POSITIVE_INFINITY];
/** Steps while no job was found recently: a first job of a group, then any job. */
const IDLE_SHARES = [1, Number.POSITIVE_INFINITY];
const ALONE = [Number.POSITIVE_INFINITY];

/** Timing of the search for jobs. */
export interface WorkerTiming {
  /** Poll interval without a wake: for retries, and if a wake was lost. */
  pollMs: number;
  /** Delay per running job before fetching another, so that one machine does not take all jobs while another has none. */
  modestyMs: number;
}

/** Runs the jobs of one queue in this process, a limited number in parallel. */
export class QueueWorkers {
  readonly #boss: PgBoss;
  readonly #queue: Queue<never>;
  readonly #log: Log;
  readonly #pace: WorkerTiming;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, { job: Fetched; done: Promise<void> }>();
  /** Running jobs that are nearly done and do not count for the limit. */
  readonly #nearlyDone = new Set<string>();
  #leading: Promise<void> = Promise.resolve();
  #woken = false;
  #rouse: () => void = () => undefined;

  constructor(boss: PgBoss, queue: Queue<never>, log: Log, pace: WorkerTiming) {
    this.#boss = boss;
    this.#pace = pace;
    this.#queue = queue;
    this.#log = log;
  }

  start(): void {
    this.#leading = this.#lead();
  }

  /** Looks for jobs now. */
  wake(): void {
    this.#woken = true;
    this.#rouse();
  }

  /** Aborts running jobs and waits at most `graceMs` until they return. All are returned to the queue for other workers. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error("The service is stopping"));
    this.#rouse();
    await this.#leading;
    const timeout = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), timeout]);
    for (const { job } of this.#running.values()) await this.#settle(job, () => this.#giveBack(job));
  }

  async #lead(): Promise<void> {
    let isIdle = false;
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      if (this.#hasRoom) {
        if (this.#pace.modestyMs > 0 && this.#running.size > 0) await sleep(this.#pace.modestyMs * this.#running.size);
        const job = await this.#next(isIdle);
        isIdle = job === undefined;
        if (job !== undefined) {
          this.#take(job);
          continue;
        }
      }
      await this.#rest();
    }
  }

  get #hasRoom(): boolean {
    const { concurrency } = this.#queue;
    return this.#running.size - Math.min(this.#nearlyDone.size, concurrency) < concurrency;
  }

  #take(job: Fetched): void {
    const done = this.#work(job).finally(() => {
      this.#running.delete(job.id);
      this.#nearlyDone.delete(job.id);
      // A job may start in its place.
      this.wake();
    });
    this.#running.set(job.id, { job, done });
  }

  /** The next job: of the group with the fewest running jobs, counted over all machines. */
  async #next(isIdle: boolean): Promise<Fetched | undefined> {
    const shares = this.#queue.shared !== true ? ALONE : isIdle ? IDLE_SHARES : SHARES;
    try {
      for (const share of shares) {
        const limit = Number.isFinite(share) ? { groupConcurrency: share } : {};
        const [job] = await this.#boss.fetch<JobData>(this.#queue.name, { includeMetadata: true, ...limit });
        if (job !== undefined) return job;
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#log.warn({ err: error, queue: this.#queue.name }, "cannot fetch a job");
    }
    return undefined;
  }

  async #rest(): Promise<void> {
    if (this.#woken || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pace.pollMs);
      this.#rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #work(job: Fetched): Promise<void> {
    const lost = new AbortController();
    const beat = setInterval(() => void this.#settle(job, () => this.#beat(job, lost)), BEAT_MS);
    const signal = AbortSignal.any([lost.signal, this.#stopping.signal]);
    try {
      if (job.retryCount > MAX_WORKER_DEATHS)
        throw new Error(`The workers of this job crashed ${job.retryCount} times`);
      const nearlyDone = () => {
        if (!this.#running.has(job.id)) return;
        this.#nearlyDone.add(job.id);
        this.wake();
      };
      const { work, trace } = job.data;
      const isHeld = () => this.#beat(job, lost);
      await this.#queue.run({ id: job.id, data: work, trace, signal, isHeld, nearlyDone });
      // A job that is told to stop may return before its work is complete.
      await this.#settle(job, () =>
        signal.aborted ? this.#giveBack(job) : this.#boss.complete(this.#queue.name, job),
      );
    } catch (error) {
      await this.#settle(job, () => (signal.aborted ? this.#giveBack(job) : this.#failed(job, error)));
    } finally {
      clearInterval(beat);
    }
  }

  /** Returns the job to the queue immediately, as if it had never been fetched. */
  async #giveBack(job: Fetched): Promise<void> {
    await this.#again(job, job.data, 0);
  }

  async #failed(job: Fetched, error: unknown): Promise<void> {
    const { work, failures } = job.data;
    const { name } = this.#queue;
    this.#log.error({ ...this.#about(job), tries: failures + 1, err: error }, "a job failed");
    if (failures + 1 < MOST_FAILURES && job.retryCount <= MAX_WORKER_DEATHS) {
      await this.#again(job, { ...job.data, failures: failures + 1 }, pauseAfter(failures + 1, BACK_OFFS.job) / 1_000);
      return;
    }
    await this.#queue.exhausted({ id: job.id, data: work, error });
    await this.#boss.complete(name, job);
  }

  /** Replaces the job by a new one. Has no effect if another worker has the job by now. */
  async #again(job: Fetched, data: JobData, seconds: number): Promise<void> {
    const { name } = this.#queue;
    if (affectedBy(await this.#boss.complete(name, job)) === 0) return;
    await this.#boss.send(name, data, {
      ...(job.singletonKey != null && { singletonKey: job.singletonKey }),
      ...(job.groupId != null && { group: { id: job.groupId } }),
      ...(seconds > 0 && { startAfter: seconds }),
    });
  }

  /** Sends a heartbeat. Returns whether this worker still has the job; if not, the job is aborted. */
  async #beat(job: Fetched, lost: AbortController): Promise<boolean> {
    const isHeld = affectedBy(await this.#boss.touch(this.#queue.name, job)) > 0;
    if (!isHeld) lost.abort(new Error("Another worker has taken over the job"));
    return isHeld;
  }

  /** Records the outcome. If that fails, the heartbeat ends and the job runs again. */
  async #settle(job: Fetched, tell: () => Promise<unknown>): Promise<void> {
    try {
      await tell();
    } catch (error) {
      this.#log.warn({ ...this.#about(job), err: error }, "cannot record the outcome of a job");
    }
  }

  /** The fields of every log line about a job. */
  #about(job: Fetched): object {
    return { queue: this.#queue.name, job: job.id, ...this.#queue.about(job.data.work) };
  }
}

/** The number of affected jobs, which pg-boss returns but its types omit. */
function affectedBy(response: object): number {
  return (response as { affected?: number }).affected ?? 0;
}
