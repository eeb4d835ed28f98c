import { type Db, fromKysely, type JobWithMetadata, type KyselyTransactionLike, PgBoss } from "pg-boss";

/** One kind of work. Its jobs must be safe to run again: a worker can die at any point of one. */
export interface Queue<Data extends object> {
  readonly name: string;
  /** How many jobs of this kind one process works on at a time. */
  readonly concurrency: number;
  /** Does the work of one job. Rejecting means: try again later. */
  run(job: { data: Data; signal: AbortSignal }): Promise<void>;
  /** Told once when the last try was rejected. */
  exhausted(job: { data: Data; error: unknown }): Promise<void>;
}

export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Seconds without a sign of life after which a job is taken from its worker. */
const HEARTBEAT_SECONDS = 10;
const RETRIES = 5;
/** Work of this process is woken at once; polling is for retries and for work that another process queued. */
const POLL_SECONDS = 2;

/**
 * Queued work on pg-boss. What is promised: a job that was enqueued in a committed transaction is run at least once;
 * of one key there is at most one job waiting or running in its queue; a job whose process died is run again within
 * about 15 seconds.
 */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #log: Log;
  readonly #queues = new Map<string, Queue<never>>();
  readonly #workers = new Map<string, string[]>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: { executor: Db; embedded: boolean; log: Log }) {
    this.#log = options.log;
    this.#boss = new PgBoss({
      db: options.executor,
      backend: options.embedded ? "pglite" : "postgres",
      schedule: false,
      // How soon a dead worker is noticed. The embedded database has no worker but this process.
      monitorIntervalSeconds: options.embedded ? 10 : 1,
      superviseIntervalSeconds: options.embedded ? 10 : 1,
      maintenanceIntervalSeconds: 300,
    });
    this.#boss.on("error", (error) => this.#log.error({ err: error }, "the job queue reports an error"));
    this.#boss.on("warning", (warning) => this.#log.warn({ warning }, "the job queue warns"));
  }

  /** Makes a queue known; to be called before {@link start}. */
  define<Data extends object>(queue: Queue<Data>): void {
    this.#queues.set(queue.name, queue as unknown as Queue<never>);
  }

  /**
   * Makes the queues and asks pg-boss for each once, so that its cache is warm: on the embedded database a cold
   * cache inside a caller's transaction would wait for the connection that the transaction holds, for ever.
   */
  async open(): Promise<void> {
    await this.#boss.start();
    for (const { name } of this.#queues.values()) {
      await this.#boss.createQueue(name, {
        policy: "exclusive",
        retryLimit: RETRIES,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 60,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: 23 * 3600,
        deleteAfterSeconds: 3600,
      });
      await this.#boss.fetch(name, { minPriority: 2_000_000_000 });
    }
  }

  /** Drops every job. Right only for a process that knows itself to be the only one, and re-queues what is missing. */
  async forget(): Promise<void> {
    for (const name of this.#queues.keys()) await this.#boss.deleteAllJobs(name);
  }

  /** Starts working. */
  async work(): Promise<void> {
    const options = {
      includeMetadata: true,
      pollingIntervalSeconds: POLL_SECONDS,
      heartbeatRefreshSeconds: HEARTBEAT_SECONDS / 4,
    } as const;
    for (const queue of this.#queues.values()) {
      const ids: string[] = [];
      for (let i = 0; i < queue.concurrency; i++) {
        ids.push(
          await this.#boss.work<never, void, typeof options>(queue.name, options, ([job]) => this.#run(queue, job)),
        );
      }
      this.#workers.set(queue.name, ids);
    }
  }

  /**
   * Queues work under a key. Does nothing when a job of that key already waits or runs.
   * With `transaction` the job exists if and only if that transaction commits.
   */
  async enqueue<Data extends object>(
    queue: string,
    key: string,
    data: Data,
    transaction?: KyselyTransactionLike,
  ): Promise<void> {
    await this.#boss.send(queue, data, {
      singletonKey: key,
      ...(transaction && { db: fromKysely(transaction) }),
    });
  }

  /** Queues many at once; otherwise as {@link enqueue}. */
  async enqueueAll<Data extends object>(
    queue: string,
    jobs: { key: string; data: Data }[],
    transaction?: KyselyTransactionLike,
  ): Promise<void> {
    if (jobs.length === 0) return;
    await this.#boss.insert(
      queue,
      jobs.map(({ key, data }) => ({ singletonKey: key, data })),
      transaction ? { db: fromKysely(transaction) } : {},
    );
  }

  /** Lets the workers of this process look at once instead of at their next poll. Call it after the commit. */
  wake(queue: string): void {
    for (const id of this.#workers.get(queue) ?? []) this.#boss.notifyWorker(id);
  }

  /** Aborts what runs, waits until it has returned (at most `graceMs`), and stops. Unfinished jobs run again later. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error("The service is stopping"));
    await Promise.race([Promise.allSettled(this.#running), new Promise((done) => setTimeout(done, graceMs).unref())]);
    await this.#boss.stop({ graceful: true, close: false, timeout: 1000 });
  }

  async #run(queue: Queue<never>, job: JobWithMetadata<never> | undefined): Promise<void> {
    if (job === undefined) return;
    const signal = AbortSignal.any([job.signal, this.#stopping.signal]);
    const running = queue.run({ data: job.data, signal });
    this.#running.add(running);
    try {
      await running;
    } catch (error) {
      if (signal.aborted) throw error;
      this.#log.error({ err: error, queue: queue.name, data: job.data, tries: job.retryCount + 1 }, "a job failed");
      if (job.retryCount < job.retryLimit) throw error;
      await queue.exhausted({ data: job.data, error });
    } finally {
      this.#running.delete(running);
    }
  }
}
