import { type Db, fromKysely, type KyselyTransactionLike, PgBoss } from "pg-boss";
import type { Job, Log, Queue } from "./queue.ts";
import {
  HEARTBEAT_SECONDS,
  type JobData,
  MAX_WORKER_DEATHS,
  QueueWorkers,
  type WorkerTiming,
} from "./queue-workers.ts";

/** How much of one kind of work there is, on all processes. */
interface Depth {
  queue: string;
  waiting: number;
  running: number;
  /** For how long the job has waited that was due first; 0 where none waits. */
  oldestSeconds: number;
}

/** Tells other processes of the same database that there is work, and hears it from them. */
export interface JobNotifications {
  listen(listener: (queue: string) => void): () => void;
  send(queue: string): void;
}

/** Its conditions are those of the index that keeps the keys of a queue apart (pg-boss’s `job_i6`). */
const DEPTHS = `
  select name as queue,
    count(*) filter (where state < 'active')::int as waiting,
    count(*) filter (where state = 'active')::int as running,
    coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)::float
      as "oldestSeconds"
  from pgboss.job where state <= 'active' and policy = 'exclusive' group by name`;

/** Where another process may have died, its jobs are to be seen soon; one that is alone has only its own retries. */
const PACE: Record<"shared" | "alone", WorkerTiming> = {
  shared: { pollMs: 1_000, modestyMs: 50 },
  alone: { pollMs: 2_000, modestyMs: 0 },
};

/**
 * Queued work on pg-boss. What is promised: a job that was enqueued in a committed transaction is run at least once, on
 * any of the processes that {@link work}; of one key there is at most one job waiting or running in its queue; a job
 * whose process died is run again within about 15 seconds; groups of a shared queue have equal shares.
 */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #executor: Db;
  readonly #log: Log;
  readonly #notifications: JobNotifications | undefined;
  readonly #trace: () => string | undefined;
  readonly #queues = new Map<string, Queue<never>>();
  readonly #workers = new Map<string, QueueWorkers>();
  readonly #pace: WorkerTiming;
  /** Whether other processes may work on the same jobs. */
  readonly isShared: boolean;
  #silence: (() => void) | undefined;

  /**
   * @param notifications absent where no other process works on this database
   * @param trace says in whose course something is queued; the job takes it along
   */
  constructor(options: {
    executor: Db;
    embedded: boolean;
    log: Log;
    notifications?: JobNotifications;
    trace?: () => string | undefined;
  }) {
    this.#executor = options.executor;
    this.#log = options.log;
    this.#notifications = options.notifications;
    this.#trace = options.trace ?? (() => undefined);
    this.isShared = !options.embedded;
    this.#pace = this.isShared ? PACE.shared : PACE.alone;
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

  /** Makes a queue known; to be called before {@link open}. */
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
        // What fails is queued again by its workers: this is about workers that died.
        retryLimit: MAX_WORKER_DEATHS + 1,
        retryDelay: 1,
        retryBackoff: false,
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
  work(): void {
    this.#silence = this.#notifications?.listen((queue) => this.#workers.get(queue)?.wake());
    for (const queue of this.#queues.values()) {
      const workers = new QueueWorkers(this.#boss, queue, this.#log, this.#pace);
      this.#workers.set(queue.name, workers);
      workers.start();
    }
  }

  /**
   * Queues work. Does nothing when a job of that key already waits or runs.
   * With `transaction` the job exists if and only if that transaction commits.
   */
  async enqueue<Data extends object>(
    queue: string,
    job: Job<Data>,
    transaction?: KyselyTransactionLike,
  ): Promise<void> {
    await this.enqueueAll(queue, [job], transaction);
  }

  /** Queues many at once; otherwise as {@link enqueue}. */
  async enqueueAll<Data extends object>(
    queue: string,
    jobs: readonly Job<Data>[],
    transaction?: KyselyTransactionLike,
  ): Promise<void> {
    if (jobs.length === 0) return;
    const trace = this.#trace();
    await this.#boss.insert(
      queue,
      jobs.map(({ key, data, group }) => ({
        singletonKey: key,
        data: { work: data, failures: 0, ...(trace !== undefined && { trace }) } satisfies JobData<Data>,
        ...(group !== undefined && { group: { id: group } }),
      })),
      transaction ? { db: fromKysely(transaction) } : {},
    );
  }

  /** How much there is to do in each queue. Jobs that are over are not looked at, however many of them are kept. */
  async depths(): Promise<Depth[]> {
    const { rows } = await this.#executor.executeSql(DEPTHS);
    const byQueue = new Map((rows as Depth[]).map((row) => [row.queue, row]));
    return [...this.#queues.keys()].map(
      (queue) => byQueue.get(queue) ?? { queue, waiting: 0, running: 0, oldestSeconds: 0 },
    );
  }

  /** Lets the workers of all processes look at once instead of at their next poll. Call it after the commit. */
  wake(queue: string): void {
    this.#workers.get(queue)?.wake();
    this.#notifications?.send(queue);
  }

  /** Aborts what runs, waits until it has returned (at most `graceMs`), and stops. Unfinished jobs run again later. */
  async stop(graceMs: number): Promise<void> {
    this.#silence?.();
    await Promise.all([...this.#workers.values()].map((workers) => workers.stop(graceMs)));
    await this.#boss.stop({ graceful: true, close: false, timeout: 1000 });
  }
}
