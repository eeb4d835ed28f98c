import { setTimeout as sleep } from "node:timers/promises";
import { type Db, fromKysely, type KyselyTransactionLike, PgBoss } from "pg-boss";
import type { Job, Log, Queue } from "./queue.ts";
import {
  HEARTBEAT_SECONDS,
  type JobData,
  MAX_WORKER_DEATHS,
  QueueWorkers,
  type WorkerTiming,
} from "./queue-workers.ts";

/** Number of jobs in a queue, over all processes. */
interface Depth {
  queue: string;
  waiting: number;
  running: number;
  /** Waiting time of the job that was due first; 0 if none waits. */
  oldestSeconds: number;
}

/** Notifies other processes of the same database about queued jobs, and receives their notifications. */
export interface JobNotifications {
  listen(listener: (queue: string) => void): () => void;
  send(queue: string): void;
}

/** Its conditions match the index that makes the keys of a queue unique (pg-boss’s `job_i6`). */
const DEPTHS = `
  select name as queue,
    count(*) filter (where state < 'active')::int as waiting,
    count(*) filter (where state = 'active')::int as running,
    coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)::float
      as "oldestSeconds"
  from pgboss.job where state <= 'active' and policy = 'exclusive' group by name`;

const SETTLED_POLL_MS = 20;

/** Poll intervals. With several processes, jobs of a crashed process must be found soon; a single process only polls for its own retries. */
const PACE: Record<"shared" | "alone", WorkerTiming> = {
  shared: { pollMs: 1_000, modestyMs: 50 },
  alone: { pollMs: 2_000, modestyMs: 0 },
};

/**
 * Job queues on pg-boss. Guarantees: a job enqueued in a committed transaction runs at least once, on any process that calls
 * {@link work}; a queue has at most one waiting or running job per key; a job whose process crashed runs again within about
 * 15 seconds; groups of a shared queue have equal shares of the workers.
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
   * @param notifications absent if no other process works on this database
   * @param trace returns the current trace, which the queued job continues
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
      // Interval of the search for crashed workers. With the embedded database, this process is the only worker.
      monitorIntervalSeconds: options.embedded ? 10 : 1,
      superviseIntervalSeconds: options.embedded ? 10 : 1,
      maintenanceIntervalSeconds: 300,
    });
    this.#boss.on("error", (error) => this.#log.error({ err: error }, "the job queue reported an error"));
    this.#boss.on("warning", (warning) => this.#log.warn({ warning }, "the job queue reported a warning"));
  }

  /** Defines a queue. Must be called before {@link open}. */
  define<Data extends object>(queue: Queue<Data>): void {
    this.#queues.set(queue.name, queue as unknown as Queue<never>);
  }

  /**
   * Creates the queues and reads each once, which fills pg-boss's cache. On the embedded database, an empty cache inside a
   * caller's transaction would cause a deadlock: it would wait for the connection that the transaction holds.
   */
  async open(): Promise<void> {
    await this.#boss.start();
    for (const { name } of this.#queues.values()) {
      await this.#boss.createQueue(name, {
        policy: "exclusive",
        // Workers requeue failed jobs themselves; this limit counts crashed workers.
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

  /** Deletes all jobs. Only allowed for a single process that queues the missing jobs again. */
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
   * Queues a job. Has no effect if a job with this key is already waiting or running.
   * With `transaction`, the job exists if and only if that transaction commits.
   */
  async enqueue<Data extends object>(
    queue: string,
    job: Job<Data>,
    transaction?: KyselyTransactionLike,
  ): Promise<void> {
    await this.enqueueAll(queue, [job], transaction);
  }

  /** Queues many jobs at once; otherwise as {@link enqueue}. */
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

  /** Number of waiting and running jobs per queue. The query does not read finished jobs. */
  async depths(): Promise<Depth[]> {
    const { rows } = await this.#executor.executeSql(DEPTHS);
    const byQueue = new Map((rows as Depth[]).map((row) => [row.queue, row]));
    return [...this.#queues.keys()].map(
      (queue) => byQueue.get(queue) ?? { queue, waiting: 0, running: 0, oldestSeconds: 0 },
    );
  }

  /** Resolves when no job is due or running in any process. @param isMoreDue whether more work is due for which no job is queued yet */
  async settled(isMoreDue: () => Promise<boolean>): Promise<void> {
    const isOpen = ({ running, oldestSeconds }: Depth) => running > 0 || oldestSeconds > 0;
    while ((await this.depths()).some(isOpen) || (await isMoreDue())) await sleep(SETTLED_POLL_MS);
  }

  /** Makes the workers of all processes look for jobs now instead of at their next poll. Must be called after the commit. */
  wake(queue: string): void {
    this.#workers.get(queue)?.wake();
    this.#notifications?.send(queue);
  }

  /** Aborts running jobs, waits until they return (at most `graceMs`), and stops. Unfinished jobs run again later. */
  async stop(graceMs: number): Promise<void> {
    this.#silence?.();
    await Promise.all([...this.#workers.values()].map((workers) => workers.stop(graceMs)));
    await this.#boss.stop({ graceful: true, close: false, timeout: 1000 });
  }
}
