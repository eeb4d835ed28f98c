/** One kind of work. Its jobs must be safe to run again: a worker can die at any point of one. */
export interface Queue<Data extends object> {
  readonly name: string;
  /** How many jobs of this kind one process works on at a time, not counting so many that are nearly done. */
  readonly concurrency: number;
  /** True where the groups of the jobs are to have equal shares of all workers. */
  readonly shared?: true;
  /** What log lines about a job say of it; nothing of a secret. */
  about(data: Data): object;
  /**
   * Does the work of one job. Rejecting means: try again later. `signal` is aborted when the service stops or the job is
   * another worker's; a process that was frozen may learn that late, and `isHeld` asks. A job that is `nearlyDone` may
   * say so: another one is fetched meanwhile.
   */
  run(job: Run<Data>): Promise<void>;
  /** Told once when the last try was rejected. */
  exhausted(job: { id: string; data: Data; error: unknown }): Promise<void>;
}

export interface Run<Data extends object> {
  /** That of this try: one that is given back or tried again gets another. */
  id: string;
  data: Data;
  /** The trace that it goes on with; see `Jobs`. */
  trace: string | undefined;
  signal: AbortSignal;
  isHeld: () => Promise<boolean>;
  nearlyDone: () => void;
}

/** Work to be queued. */
export interface Job<Data extends object> {
  /** Of one key there is at most one job waiting or running in its queue. */
  key: string;
  data: Data;
  /** With whom the job shares, in a queue that is shared. */
  group?: string;
}

export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
