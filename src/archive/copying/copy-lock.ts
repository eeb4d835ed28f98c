import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Lease, readClocks } from "../lease.ts";
import type { SmallFile } from "../receipts/jwks-file.ts";

/** Where it lies, below the archive. */
export const COPY_LOCK = "staging/copy.lock";

/** How often it is renewed. */
const RENEW_MS = 5_000;
/** So many times as long its holder may go on without having renewed it; twice that, and others take it over. */
const RENEWALS_MISSED = 2;
/** How long whoever has written it waits before a look whether somebody else has, too. */
const SETTLE_MS = 500;

/** A lock in a file, wherever that lies. */
export interface LockFile extends SmallFile {
  /** Does nothing where there is none. */
  remove(): Promise<void>;
}

/**
 * Keeps two runs from copying into one archive. Neither a folder on a network nor every object store knows locks, so it is
 * a file that its holder writes anew again and again: one that does not change while somebody watches is a dead run's. No
 * two clocks are compared.
 */
export class CopyLock {
  /** Holds as long as nobody can have taken the lock over; ended, with the reason, when somebody has. */
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

  /** Takes it; that of a dead run after a while. @throws Error when another run holds it */
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
  return new Error("another copy into the same archive is under way");
}
