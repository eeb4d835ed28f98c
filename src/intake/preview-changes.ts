import type { Held } from "../db/chunks/unchanged.ts";

/** Number of objects, and their total size. */
export interface Amount {
  objects: number;
  bytes: number;
}

/** Differences between a new version and the previous one. */
export interface PreviewChanges {
  /** The previous version. */
  since: number;
  /**
   * False if the bucket differs from that of the previous version, or all objects must be read again. Then no object is
   * known to be unchanged.
   */
  sameSource: boolean;
  added: Amount;
  /** Keys of the previous version whose objects are not known to be unchanged. */
  changed: Amount;
  /** Unchanged objects, which are not read again. */
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

/** Counts the differences from the previous version, page by page. Only counts are kept in memory. */
export class ChangeCounts {
  readonly #before: VersionBefore;
  readonly #counts = { added: none(), changed: none(), unchanged: none() };
  /** Objects of the previous version that are still listed. */
  readonly #met = none();

  constructor(before: VersionBefore) {
    this.#before = before;
  }

  /** @param held the entries of these objects in the previous version */
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

  /** @param complete whether the listing was completed */
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
