import { type Changes, MAX_NAMED_OBJECTS } from "../../archive/receipts/receipt.ts";
import { everyObject } from "../../db/chunks/chunks.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { objectsOfKeys } from "../../db/chunks/unordered-keys.ts";
import type { Queries } from "../../db/database.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { type AttemptRef, versionOf } from "../context.ts";

/**
 * Compares a version with the previous one by key and digest, regardless of which objects were read. Excluded objects
 * count as absent.
 */
export class VersionChanges {
  readonly #db: Queries;
  readonly #work: AttemptRef;
  readonly #base: SubmissionRow;
  readonly #changes: Changes;
  #met = 0;

  constructor(db: Queries, work: AttemptRef, base: SubmissionRow) {
    this.#db = db;
    this.#work = work;
    this.#base = base;
    const none = () => ({ total: 0, keys: [] });
    this.#changes = {
      since: versionOf(base),
      added: none(),
      changed: none(),
      removed: none(),
      kept: { total: 0, notRead: 0 },
    };
  }

  /** Adds objects of the new version. */
  async note(objects: readonly ObjectRecord[]): Promise<void> {
    const stored = objects.filter(isStored);
    const keys = stored.map(({ key }) => key);
    const { id, attempt } = this.#base;
    const before = await objectsOfKeys(this.#db, id, attempt, keys);
    const digests = new Map(before.filter(isStored).map(({ key, sha512 }) => [key, sha512]));
    this.#met += digests.size;
    const { added, changed, kept } = this.#changes;
    for (const { key, sha512, verifiedIn } of stored) {
      const digest = digests.get(key);
      if (digest === undefined) name(added, key);
      else if (digest !== sha512) name(changed, key);
      else {
        kept.total++;
        if (verifiedIn !== null) kept.notRead++;
      }
    }
  }

  /** Must be called after all objects of the new version were added. */
  async finish(): Promise<Changes> {
    const { removed } = this.#changes;
    const total = this.#base.objects_stored - this.#met;
    if (total > 0) await this.#nameRemoved(Math.min(total, MAX_NAMED_OBJECTS));
    removed.total = total;
    return this.#changes;
  }

  async #nameRemoved(most: number): Promise<void> {
    const { removed } = this.#changes;
    const { id, attempt } = this.#base;
    for await (const before of everyObject(this.#db, id, attempt)) {
      const keys = before.filter(isStored).map(({ key }) => key);
      const now = await objectsOfKeys(this.#db, this.#work.id, this.#work.attempt, keys);
      const there = new Set(now.filter(isStored).map(({ key }) => key));
      for (const key of keys) if (!there.has(key)) name(removed, key);
      if (removed.keys.length >= most) return;
    }
  }
}

function isStored({ state }: ObjectRecord): boolean {
  return state === "stored";
}

function name(list: { total: number; keys: string[] }, key: string): void {
  list.total++;
  if (list.keys.length < MAX_NAMED_OBJECTS) list.keys.push(key);
}
