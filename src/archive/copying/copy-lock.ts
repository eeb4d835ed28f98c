import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Lease, readClocks } from "../lease.ts";
import type { SmallFile } from "../small-file.ts";

/** Path of the lock, relative to the archive. */
export const COPY_LOCK = "staging/copy.lock";

/** Interval at which the holder renews the lock. */
const RENEW_MS = 5_000;
/**
 * Multiple of the interval after which a holder that could not renew the lock stops. After twice that time other runs
 * take it over.
 */
const RENEWALS_MISSED = 2;
/** Delay after the lock is written. Then the run checks whether another run has written it too. */
const SETTLE_MS = 500;

/** A file that serves as a lock, in a folder or an object store. */
export interface LockFile extends SmallFile {
  /** Does nothing if the file does not exist. */
  remove(): Promise<void>;
}

/**
 * Prevents two runs from copying into one archive at the same time. Network file systems and object stores may have no
 * locks, so the lock is a file that its holder rewrites periodically. If it does not change for a while, its holder has
 * stopped. Clocks of different machines are never compared.
 */
export class CopyLock {
  /** Valid as long as no other run can have taken the lock over. Ended, with the reason, when another run has. */
  readonly lease: Lease;
  readonly #file: LockFile;
  readonly #run = randomUUID();
  #beats = 0;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  private constructor(file: LockFile, renewMs: number) {
    this.#file = file;
    this.lease = new Lease(readClocks(), RENEWALS_MISSED * renewMs);
  }

  /** Takes the lock; waits, and takes over the lock of a run that has stopped. @throws Error if another run holds it */
  static async take(file: LockFile, renewMs = RENEW_MS): Promise<CopyLock> {
    const before = await file.read();
    if (before !== undefined) {
      await sleep(2 * RENEWALS_MISSED * renewMs);
      const now = await file.read();
      if (now !== undefined && now !== before) throw heldByAnother();
    }
    const lock = new CopyLock(file, renewMs);
    await lock.#write();
    await sleep(Math.min(SETTLE_MS, renewMs));
    await lock.#renew();
    lock.#timer = setInterval(() => {
      lock.#renewing = lock.#renew().catch((error: unknown) => lock.lease.end(error));
    }, renewMs);
    return lock;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    this.lease.end(new Error("The lock was released"));
    if (await this.#isOwn()) await this.#file.remove();
  }

  async #renew(): Promise<void> {
    const at = readClocks();
    if (!(await this.#isOwn())) throw heldByAnother();
    await this.#write();
    this.lease.confirm(at);
  }

  async #write(): Promise<void> {
    await this.#file.write(`${this.#run} ${++this.#beats}\n`);
  }

  async #isOwn(): Promise<boolean> {
    return (await this.#file.read())?.startsWith(this.#run) ?? false;
  }
}

function heldByAnother(): Error {
  return new Error("Another run is copying into the same archive");
}
