import { sql } from "kysely";
import { type ObjectRow, objectsByKey, objectsOfKeys } from "../../db/objects.ts";
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
export async function changesInRange(
  db: Queries,
  work: Work,
  page: ListedObject[],
  range: { after: string | undefined; upTo: string | undefined },
): Promise<Change[]> {
  const now = new Map(page.map((object) => [object.key, object]));
  const changes: Change[] = [];
  for (let after = range.after; ; ) {
    const frozen = await objectsByKey(db, work.id, work.attempt, { after, upTo: range.upTo, limit: 1000 });
    for (const before of frozen) {
      const again = now.get(before.key);
      now.delete(before.key);
      const change = compare(before, again);
      if (change !== undefined) changes.push({ key: before.key, change });
    }
    if (frozen.length < 1000) break;
    after = frozen.at(-1)?.key;
  }
  return [...changes, ...[...now.keys()].map((key) => ({ key, change: "appeared" as const }))];
}

/** The same for a server that lists in no order: key by key, and what is met is marked. */
export async function changesOfPage(db: Queries, work: Work, page: ListedObject[]): Promise<Change[]> {
  const frozen = await objectsOfKeys(
    db,
    work.id,
    work.attempt,
    page.map(({ key }) => key),
  );
  const before = new Map(frozen.map((object) => [object.key, object]));
  await sql`
    update object set relisted = true
    where submission_id = ${work.id} and attempt = ${work.attempt}
      and seq = any(${frozen.map(({ seq }) => seq)}::bigint[])`.execute(db);
  return page.flatMap((object): Change[] => {
    const old = before.get(object.key);
    if (old === undefined) return [{ key: object.key, change: "appeared" }];
    const change = compare(old, object);
    return change === undefined ? [] : [{ key: object.key, change }];
  });
}

/** After the last page of a listing in no order: the objects that were not met again. */
export async function neverRelisted(db: Queries, work: Work): Promise<Change[]> {
  const rows = await db
    .selectFrom("object")
    .select("key")
    .where("submission_id", "=", work.id)
    .where("attempt", "=", work.attempt)
    .where("state", "=", "stored")
    .where("relisted", "=", false)
    .execute();
  return rows.map(({ key }) => ({ key: Buffer.from(key).toString("utf8"), change: "vanished" }));
}

function compare(before: ObjectRow, again: ListedObject | undefined): Change["change"] | undefined {
  if (before.state === "excluded") return undefined;
  if (again === undefined) return "vanished";
  const same = before.bytes === again.bytes && before.etag === again.etag;
  // Where ETags say nothing, the time of the last change does.
  const sameTime = before.etag !== null || before.last_modified === again.lastModified;
  return same && sameTime ? undefined : "changed";
}
