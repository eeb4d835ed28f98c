import type { Queries } from "../database.ts";
import type { ObjectRecord } from "./objects.ts";
import { objectsOfKeys } from "./unordered-keys.ts";

/** A version of a dataset, by the attempt that became it. */
export interface BaseVersion {
  id: string;
  attempt: number;
  version: number;
}

/**
 * Gives objects that are still to be read what the version before holds of them, where they are unchanged: they are not
 * read again. To be asked only of the same bucket at the same endpoint: an ETag says nothing elsewhere.
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
    const { state, contentPath, sha512, verifiedBy, verifiedWith, etagIsDigest, came } = old;
    const verifiedIn = old.verifiedIn ?? base.version;
    Object.assign(now, { state, contentPath, sha512, verifiedBy, verifiedWith, etagIsDigest, verifiedIn, came });
  }
}

/** What the version before holds of one listed object. */
export interface Held {
  bytes: number;
  /** It is not read again. */
  isUnchanged: boolean;
}

/**
 * Compares listed objects with what the version before holds, by the rule of {@link reuseFromEarlierVersion}, and changes nothing.
 * Gives those keys that it holds.
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
 * Size and ETag are the same. One that was proven to be a digest of the bytes, alone or besides a checksum, says so by
 * itself. Any other is a mark of the server’s own, which some servers give to many contents: then the time of the last
 * change has to be the same, too. A weak ETag (RFC 9110, section 8.8.1) says nothing about bytes.
 */
function isUnchanged(old: ObjectRecord, now: Listed): boolean {
  if (old.state !== "stored" || old.sha512 === null || old.suspect) return false;
  if (old.bytes !== now.bytes || old.etag === null || old.etag !== now.etag || old.etag.startsWith("W/")) return false;
  const isDigest = old.verifiedBy === "md5" || old.verifiedBy === "md5-parts" || old.etagIsDigest;
  return isDigest || (old.lastModified !== null && old.lastModified === now.lastModified);
}
