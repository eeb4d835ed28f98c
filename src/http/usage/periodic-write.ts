/**
 * Writes what requests have left in memory, every few seconds, so that requests do not wait for it. Never writes twice at the
 * same time. Failures are reported; what was not written is written the next time.
 */
export class PeriodicWrite {
  readonly #write: () => Promise<void>;
  readonly #report: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> | undefined;

  /** Starts. @param write keeps in memory what it could not write, and throws */
  constructor(write: () => Promise<void>, everyMs: number, report: (error: unknown) => void) {
    this.#write = write;
    this.#report = report;
    this.#timer = setInterval(() => void this.run(), everyMs).unref();
  }

  /** Writes. If that is in progress, waits for it instead. */
  async run(): Promise<void> {
    if (this.#writing !== undefined) return this.#writing;
    this.#writing = this.#write().catch(this.#report);
    await this.#writing;
    this.#writing = undefined;
  }

  /** Resolves when everything that was in memory before the call is written, or a failure to do so is reported. */
  async settled(): Promise<void> {
    await this.#writing;
    await this.run();
  }

  /** Writes what is in memory, and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.settled();
  }
}
