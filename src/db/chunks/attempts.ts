import type { Queries } from "../database.ts";
import type { ObjectRecord } from "./objects.ts";
import { objectsOfKeys } from "./unordered-keys.ts";

/**
 * Gives objects that an attempt has just listed what an earlier one stored of them. For each key the newest earlier
 * attempt that listed it decides: what it stored is taken over when size and ETag are the same. An older one never
 * is, because what lay at its place may have been overwritten since; an object without an ETag never is, because
 * nothing says that it is unchanged. What came from an earlier version is for `reuseFromEarlierVersion` to decide anew.
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
      if (object !== undefined && isUnchanged(old, object)) takeOver(old, object);
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

function takeOver(old: ObjectRecord, now: ObjectRecord): void {
  const { state, contentPath, sha512, verifiedBy, verifiedWith, etagIsDigest, came, attempts } = old;
  Object.assign(now, { state, contentPath, sha512, verifiedBy, verifiedWith, etagIsDigest, came, attempts });
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

/** Drops the records of earlier attempts; right once the listing is complete, or when they are not to be trusted. */
export async function dropBefore(db: Queries, id: string, attempt: number): Promise<void> {
  for (const table of ["chunk", "unordered_key", "displaced"] as const) {
    await db.deleteFrom(table).where("submission_id", "=", id).where("attempt", "<", attempt).execute();
  }
}
