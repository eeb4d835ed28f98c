import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { Log, Queue } from "./jobs.ts";

/** Seconds without a sign of life after which a job is taken from its worker; pg-boss allows no fewer. */
export const HEARTBEAT_SECONDS = 10;
const BEAT_MS = (HEARTBEAT_SECONDS * 1000) / 4;
/** A group gets its second job at a time when no other group waits for its first, and so on. */
const SHARES = [1, 2, 4, 8, 16, 32, Number.POSITIVE_INFINITY];
/** While nothing was found lately, looking for the first share and for anything at all is enough. */
const IDLE_SHARES = [1, Number.POSITIVE_INFINITY];
const ALONE = [Number.POSITIVE_INFINITY];

/** Works on the jobs of one queue in this process, so many at a time. */
export class Crew {
  readonly #boss: PgBoss;
  readonly #queue: Queue<never>;
  readonly #log: Log;
  readonly #pollMs: number;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, { job: JobWithMetadata<never>; done: Promise<void> }>();
  #leading: Promise<void> = Promise.resolve();
  #woken = false;
  #rouse: () => void = () => undefined;

  /** @param pollMs how often it looks without being woken: for retries, and for a wake that was lost */
  constructor(boss: PgBoss, queue: Queue<never>, log: Log, pollMs: number) {
    this.#boss = boss;
    this.#pollMs = pollMs;
    this.#queue = queue;
    this.#log = log;
  }

  start(): void {
    this.#leading = this.#lead();
  }

  /** Looks for work at once. */
  wake(): void {
    this.#woken = true;
    this.#rouse();
  }

  /** Aborts what runs and waits until it has returned, at most so long; the rest is given back for others to take. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error("The service is stopping"));
    this.#rouse();
    await this.#leading;
    const patience = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), patience]);
    for (const { job } of this.#running.values()) await this.#settle(() => this.#boss.fail(this.#queue.name, job));
  }

  async #lead(): Promise<void> {
    let isIdle = false;
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      if (this.#running.size < this.#queue.concurrency) {
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

  #take(job: JobWithMetadata<never>): void {
    const done = this.#work(job).finally(() => {
      this.#running.delete(job.id);
      // There is room for the next one.
      this.wake();
    });
    this.#running.set(job.id, { job, done });
  }

  /** The job whose turn it is: that of a group of which least runs, on all machines together. */
  async #next(isIdle: boolean): Promise<JobWithMetadata<never> | undefined> {
    const shares = this.#queue.shared !== true ? ALONE : isIdle ? IDLE_SHARES : SHARES;
    try {
      for (const share of shares) {
        const limit = Number.isFinite(share) ? { groupConcurrency: share } : {};
        const [job] = await this.#boss.fetch<never>(this.#queue.name, { includeMetadata: true, ...limit });
        if (job !== undefined) return job;
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#log.warn({ err: error, queue: this.#queue.name }, "no job can be had");
    }
    return undefined;
  }

  async #rest(): Promise<void> {
    if (this.#woken || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pollMs);
      this.#rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #work(job: JobWithMetadata<never>): Promise<void> {
    const { name } = this.#queue;
    const lost = new AbortController();
    const beat = setInterval(() => void this.#beat(job, lost), BEAT_MS);
    const signal = AbortSignal.any([lost.signal, this.#stopping.signal]);
    try {
      await this.#queue.run({ data: job.data, signal });
      await this.#settle(() => this.#boss.complete(name, job));
    } catch (error) {
      if (!signal.aborted) await this.#failed(job, error);
      else await this.#settle(() => this.#boss.fail(name, job));
    } finally {
      clearInterval(beat);
    }
  }

  async #failed(job: JobWithMetadata<never>, error: unknown): Promise<void> {
    const { name } = this.#queue;
    this.#log.error({ err: error, queue: name, data: job.data, tries: job.retryCount + 1 }, "a job failed");
    await this.#settle(async () => {
      // What went wrong stands in the log; the queue’s tables are for work, and an error could hold anything.
      if (job.retryCount >= job.retryLimit) await this.#queue.exhausted({ data: job.data, error });
      await this.#boss.fail(name, job);
    });
  }

  /** A job that was taken away meanwhile is another’s: whatever is done about it is to end. */
  async #beat(job: JobWithMetadata<never>, lost: AbortController): Promise<void> {
    await this.#settle(async () => {
      // pg-boss says how many it touched; its types do not.
      const { affected } = (await this.#boss.touch(this.#queue.name, job)) as { affected?: number };
      if (affected === 0) lost.abort(new Error("The job is another worker’s now"));
    });
  }

  /** What cannot be told to the database is seen from the missing heartbeat, and the job is run again. */
  async #settle(tell: () => Promise<unknown>): Promise<void> {
    try {
      await tell();
    } catch (error) {
      this.#log.warn({ err: error, queue: this.#queue.name }, "the job queue cannot be told what became of a job");
    }
  }
}
