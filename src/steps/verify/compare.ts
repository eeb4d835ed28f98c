import { markRelisted, neverRelisted, objectsBetween, objectsOfKeys } from "../../db/keys.ts";
import type { ObjectRecord } from "../../db/objects.ts";
import type { Queries } from "../../db/open.ts";
import type { ListedObject } from "../../source/listing.ts";
import type { Work } from "../context.ts";

/** What became of an object after it was listed for the first time. */
export interface Change {
  key: string;
  change: "changed" | "vanished" | "appeared";
}

/**
 * Compares one page of the second listing with the part of the frozen one that lies between the same keys; both in
 * byte order. Excluded objects are not compared: the dataset does not hold them.
 */
export async function* changesInRange(
  db: Queries,
  work: Work,
  page: ListedObject[],
  range: { after: string | undefined; upTo: string | undefined },
): AsyncGenerator<Change> {
  const now = new Map(page.map((object) => [object.key, object]));
  for await (const frozen of objectsBetween(db, work.id, work.attempt, range)) {
    for (const before of frozen) {
      const again = now.get(before.key);
      now.delete(before.key);
      const change = compare(before, again);
      if (change !== undefined) yield { key: before.key, change };
    }
  }
  for (const key of now.keys()) yield { key, change: "appeared" };
}

/** The same for a server that lists in no order: key by key, and what is met is marked. */
export async function* changesOfPage(db: Queries, work: Work, page: ListedObject[]): AsyncGenerator<Change> {
  const keys = page.map(({ key }) => key);
  const frozen = await objectsOfKeys(db, work.id, work.attempt, keys);
  const before = new Map(frozen.map((object) => [object.key, object]));
  await markRelisted(db, work.id, work.attempt, keys);
  for (const object of page) {
    const old = before.get(object.key);
    const change = old === undefined ? "appeared" : compare(old, object);
    if (change !== undefined) yield { key: object.key, change };
  }
}

/** After the last page of a listing in no order: the objects that were not met again. */
export async function* changesAtEnd(db: Queries, work: Work): AsyncGenerator<Change> {
  for await (const objects of neverRelisted(db, work.id, work.attempt)) {
    for (const { key, state } of objects) if (state === "stored") yield { key, change: "vanished" };
  }
}

function compare(before: ObjectRecord, again: ListedObject | undefined): Change["change"] | undefined {
  if (before.state === "excluded") return undefined;
  if (again === undefined) return "vanished";
  const same = before.bytes === again.bytes && before.etag === again.etag;
  // Where ETags say nothing, the time of the last change does.
  const sameTime = before.etag !== null || before.lastModified === again.lastModified;
  return same && sameTime ? undefined : "changed";
}
