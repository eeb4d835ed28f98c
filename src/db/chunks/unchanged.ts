import type { Queries } from "../database.ts";
import { type ObjectRecord, takeStored } from "./objects.ts";
import { objectsOfKeys } from "./unordered-keys.ts";

/** A version of a dataset, identified by the attempt that became it. */
export interface BaseVersion {
  id: string;
  attempt: number;
  version: number;
}

/**
 * Reuses the objects of the previous version for unchanged objects, so that they are not read again. Only valid for the same
 * bucket at the same endpoint, because ETags cannot be compared otherwise.
 */
export async function reuseFromEarlierVersion(
  db: Queries,
  base: BaseVersion,
  objects: readonly ObjectRecord[],
): Promise<void> {
  const open = new Map(objects.filter(({ state }) => state === "listed").map((object) => [object.key, object]));
  if (open.size === 0) return;
  for (const old of await objectsOfKeys(db, base.id, base.attempt, [...open.keys()])) {
    const now = open.get(old.key);
    if (now === undefined || !isUnchanged(old, now)) continue;
    takeStored(now, old);
    now.verifiedIn = old.verifiedIn ?? base.version;
  }
}

/** The entry of a listed object in the previous version. */
export interface Held {
  bytes: number;
  /** If true, the object is not read again. */
  isUnchanged: boolean;
}

/**
 * Compares listed objects with the previous version by the rule of {@link reuseFromEarlierVersion}, without changing
 * anything. Returns the keys that the previous version has.
 */
export async function compareWithVersion(
  db: Queries,
  base: BaseVersion,
  listed: readonly Listed[],
): Promise<Map<string, Held>> {
  const now = new Map(listed.map((object) => [object.key, object]));
  const held = new Map<string, Held>();
  for (const old of await objectsOfKeys(db, base.id, base.attempt, [...now.keys()])) {
    const object = now.get(old.key);
    if (object === undefined || old.state !== "stored") continue;
    held.set(old.key, { bytes: old.bytes, isUnchanged: isUnchanged(old, object) });
  }
  return held;
}

/** An object as a listing names it. */
type Listed = Pick<ObjectRecord, "key" | "bytes" | "etag" | "lastModified">;

/**
 * Whether size and ETag are equal. An ETag that was proven to be a digest of the content is sufficient. Any other ETag is a
 * value of the server's choice, which some servers give to different contents: then the time of the last change must be
 * equal, too. A weak ETag (RFC 9110, section 8.8.1) does not identify content.
 */
function isUnchanged(old: ObjectRecord, now: Listed): boolean {
  if (old.state !== "stored" || old.sha512 === null || old.suspect) return false;
  if (old.bytes !== now.bytes || old.etag === null || old.etag !== now.etag || old.etag.startsWith("W/")) return false;
  const isDigest = old.verifiedBy === "md5" || old.verifiedBy === "md5-parts" || old.etagIsDigest;
  return isDigest || (old.lastModified !== null && old.lastModified === now.lastModified);
}
