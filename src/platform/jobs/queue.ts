/** A queue. Its jobs must be safe to run again, because a worker can crash at any point of a job. */
export interface Queue<Data extends object> {
  readonly name: string;
  /** Maximum number of parallel jobs of this queue per process, plus up to as many that are nearly done. */
  readonly concurrency: number;
  /** True if the groups of the jobs must have equal shares of all workers. */
  readonly shared?: true;
  /** The fields of log lines about a job, without secrets. */
  about(data: Data): object;
  /**
   * Runs one job. A rejection means that it must be retried later. `signal` is aborted when the service stops or another
   * worker has the job. A process that was suspended may learn that late; `isHeld` asks the database. A job may call
   * `nearlyDone`, so that another one is fetched in the meantime.
   */
  run(job: Run<Data>): Promise<void>;
  /** Called once when the last try was rejected. */
  exhausted(job: { id: string; data: Data; error: unknown }): Promise<void>;
}

export interface Run<Data extends object> {
  /** The id of this try. A job that is returned or retried gets a new id. */
  id: string;
  data: Data;
  /** The trace that it continues; see `Jobs`. */
  trace: string | undefined;
  signal: AbortSignal;
  isHeld: () => Promise<boolean>;
  nearlyDone: () => void;
}

/** A job to queue. */
export interface Job<Data extends object> {
  /** A queue has at most one waiting or running job per key. */
  key: string;
  data: Data;
  /** The fair-share group of the job, in a shared queue. */
  group?: string;
}

export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
