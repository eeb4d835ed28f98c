import { expect, test } from "vitest";
import {
  addListing,
  addSubmission,
  db,
  objectOf,
  useTestDatabase,
} from "../../../tests/support/database/test-database.ts";
import type { ObjectRecord } from "./objects.ts";
import { reuseFromEarlierVersion } from "./unchanged.ts";

useTestDatabase();

const then = "2026-01-01T00:00:00.000Z";
const later = "2026-02-01T00:00:00.000Z";
const sha512 = "ab".repeat(64);
const held = { state: "stored", sha512, verifiedBy: "md5", verifiedWith: "md5", lastModified: then } as const;

/** The record of an object that is listed again, with the given differences between the two listings. */
async function kept(old: Partial<ObjectRecord>, now: Partial<ObjectRecord> = {}): Promise<ObjectRecord> {
  const id = await addSubmission(db);
  await addListing(db, id, 2, [objectOf("x", 0, { ...held, ...old }), objectOf("y", 1, held)]);
  const object = objectOf("x", 5, { lastModified: then, etag: old.etag ?? '"x"', ...now });
  await reuseFromEarlierVersion(db, { id, attempt: 2, version: 3 }, [object]);
  return object;
}

test("an unchanged object counts as stored, verified in the previous version or in the version that it names", async () => {
  const known = { state: "stored", sha512, verifiedBy: "md5", verifiedWith: "md5", contentPath: null, attempts: 0 };
  expect(await kept({ attempts: 4 })).toMatchObject({ ...known, seq: 5, verifiedIn: 3 });
  expect(await kept({ verifiedIn: 1 })).toMatchObject({ ...known, verifiedIn: 1 });
});

test("an unchanged object keeps its content path", async () => {
  for (const contentPath of ["by-key/ab", "v1/content/data/y"]) {
    expect(await kept({ contentPath })).toMatchObject({ state: "stored", contentPath, verifiedIn: 3 });
  }
});

test("an ETag that was proven to be a digest identifies the content regardless of the time of the last change", async () => {
  for (const proof of [
    { verifiedBy: "md5" },
    { verifiedBy: "md5-parts" },
    { verifiedBy: "checksum", etagIsDigest: true },
  ]) {
    expect(await kept(proof, { lastModified: later })).toMatchObject({ state: "stored", ...proof });
  }
});

test.each<[string, Partial<ObjectRecord>, Partial<ObjectRecord>]>([
  ["an ETag that is not a digest, and a later change", { verifiedBy: "length" }, { lastModified: later }],
  [
    "only a checksum was verified, which proves nothing about the ETag",
    { verifiedBy: "checksum" },
    { lastModified: later },
  ],
  ["neither a digest nor a time", { verifiedBy: "length", lastModified: null }, { lastModified: null }],
  ["another ETag", {}, { etag: '"y"' }],
  ["another size", {}, { bytes: 2 }],
  ["no ETag", { etag: null }, { etag: null }],
  ["a weak ETag", { etag: 'W/"x"' }, {}],
  ["excluded then", { state: "excluded", sha512: null }, {}],
  ["suspect", { suspect: true }, {}],
])("it is read: %s", async (_, old, now) => {
  expect(await kept(old, now)).toMatchObject({ state: "listed", sha512: null, verifiedIn: null });
});
