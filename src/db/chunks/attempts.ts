import type { Queries } from "../database.ts";
import { type ObjectRecord, takeStored } from "./objects.ts";
import { objectsOfKeys } from "./unordered-keys.ts";

/**
 * Reuses stored objects of earlier attempts for objects that an attempt has just listed. For each key the newest earlier
 * attempt that listed it decides: its stored object is reused if size and ETag are equal. Objects of older attempts are not
 * reused, because their files may have been overwritten since. Objects without an ETag are not reused, because they may
 * have changed. Objects from an earlier version are decided again by `reuseFromEarlierVersion`.
 */
export async function reuseFromEarlierAttempt(
  db: Queries,
  id: string,
  attempt: number,
  objects: readonly ObjectRecord[],
): Promise<void> {
  let undecided = new Map(objects.map((object) => [object.key, object]));
  for (let before = await attemptBefore(db, id, attempt); before !== undefined && undecided.size > 0; ) {
    const rest = new Map(undecided);
    for (const old of await objectsOfKeys(db, id, before, [...undecided.keys()])) {
      const object = undecided.get(old.key);
      rest.delete(old.key);
      if (object === undefined || !isUnchanged(old, object)) continue;
      takeStored(object, old);
      object.attempts = old.attempts;
    }
    undecided = rest;
    before = await attemptBefore(db, id, before);
  }
}

function isUnchanged(old: ObjectRecord, now: ObjectRecord): boolean {
  return (
    old.state === "stored" &&
    old.verifiedIn === null &&
    !old.suspect &&
    old.bytes === now.bytes &&
    old.etag !== null &&
    old.etag === now.etag
  );
}

async function attemptBefore(db: Queries, id: string, attempt: number): Promise<number | undefined> {
  const before = await db
    .selectFrom("chunk")
    .select("attempt")
    .where("submission_id", "=", id)
    .where("attempt", "<", attempt)
    .orderBy("attempt", "desc")
    .limit(1)
    .executeTakeFirst();
  return before?.attempt;
}

/** Deletes the records of earlier attempts. To be used once the listing is complete, or if their files are damaged. */
export async function dropBefore(db: Queries, id: string, attempt: number): Promise<void> {
  for (const table of ["chunk", "unordered_key", "displaced"] as const) {
    await db.deleteFrom(table).where("submission_id", "=", id).where("attempt", "<", attempt).execute();
  }
}
