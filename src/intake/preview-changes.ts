import type { Held } from "../db/chunks/unchanged.ts";

/** How many objects, and their bytes. */
export interface Amount {
  objects: number;
  bytes: number;
}

/** What a new version would differ by from the one before. */
export interface PreviewChanges {
  /** The version before. */
  since: number;
  /**
   * False where the bucket is another than that of the version before, or all objects must be read again: then no object
   * is known to be unchanged.
   */
  sameSource: boolean;
  added: Amount;
  /** Keys of the previous version whose objects are not known to be unchanged. */
  changed: Amount;
  /** They are not read again. */
  unchanged: Amount;
  /** Only in the previous version; null if the listing was not completed. */
  removed: Amount | null;
  /** Added and changed objects. */
  toRead: Amount;
}

/** The previous version, with its totals. */
interface VersionBefore extends Amount {
  version: number;
  sameSource: boolean;
}

const none = (): Amount => ({ objects: 0, bytes: 0 });

/** Adds up what differs from the version before, page by page; nothing but counts is kept. */
export class ChangeCounts {
  readonly #before: VersionBefore;
  readonly #counts = { added: none(), changed: none(), unchanged: none() };
  /** What of the version before is still listed. */
  readonly #met = none();

  constructor(before: VersionBefore) {
    this.#before = before;
  }

  /** @param held what the version before holds of these objects */
  take(objects: readonly { key: string; bytes: number }[], held: ReadonlyMap<string, Held>): void {
    for (const { key, bytes } of objects) {
      const old = held.get(key);
      if (old !== undefined) add(this.#met, old.bytes);
      const isUnchanged = this.#before.sameSource && old?.isUnchanged === true;
      add(this.#counts[old === undefined ? "added" : isUnchanged ? "unchanged" : "changed"], bytes);
    }
  }

  get toRead(): Amount {
    const { added, changed } = this.#counts;
    return { objects: added.objects + changed.objects, bytes: added.bytes + changed.bytes };
  }

  /** @param complete whether everything that is listed was taken */
  result(complete: boolean): PreviewChanges {
    const { version: since, sameSource, objects, bytes } = this.#before;
    const left = { objects: Math.max(0, objects - this.#met.objects), bytes: Math.max(0, bytes - this.#met.bytes) };
    return { since, sameSource, ...this.#counts, removed: complete ? left : null, toRead: this.toRead };
  }
}

function add(amount: Amount, bytes: number): void {
  amount.objects++;
  amount.bytes += bytes;
}
