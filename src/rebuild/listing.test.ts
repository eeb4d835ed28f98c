import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addSubmission, db, useTestDatabase } from "../../tests/support/database/test-database.ts";
import type { ArchivedPackage, ManifestLine } from "../archive/archived-package.ts";
import type { LoggedRead } from "../archive/receipts/logs.ts";
import { contentPathOf, type ObjectRecord } from "../db/chunks/objects.ts";
import { objectsOfKeys } from "../db/chunks/unordered-keys.ts";
import { restoreListing } from "./listing.ts";

useTestDatabase();

const stored = (key: string, more: Partial<ManifestLine> = {}): ManifestLine => ({
  ...{ key, bytes: 3, etag: "e", lastModified: null, storageClass: "STANDARD", path: `data/${key}` },
  ...{ contentPath: `v1/content/data/${key}`, sha512: "ab".repeat(64), verifiedBy: "md5", verifiedWith: "md5" },
  ...more,
});
const excluded = (key: string): ManifestLine => ({
  ...{ key, bytes: 5, etag: null, lastModified: null, storageClass: null, path: `data/${key}` },
  excluded: { reason: "cold", code: "object_archived" },
});

async function* pages<T>(...all: T[][]): AsyncGenerator<T[]> {
  yield* all;
}

/** Restores a listing and returns its objects with these keys. */
async function take(lines: ManifestLine[][], reads?: LoggedRead[][], version = 1): Promise<ObjectRecord[]> {
  const id = await addSubmission(db);
  const all = lines.flat();
  const out = all.filter(({ excluded }) => excluded !== undefined);
  const bytes = 3 * (all.length - out.length);
  const found = {
    ocflVersion: version,
    receipt: { dataset: { version }, counts: { listed: all.length, excluded: out.length }, bytes },
    submission: { id, attempt: 1 },
    listing: () => pages(...lines),
    reads: () => reads && pages(...reads),
  } as unknown as ArchivedPackage;
  await db.transaction().execute((trx) => restoreListing(trx, found, () => {}));
  const row = await db.selectFrom("submission").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ bytes_listed: bytes + 5 * out.length, bytes_excluded: 5 * out.length });
  const keys = all.map(({ key }) => key);
  return (await objectsOfKeys(db, id, 1, keys)).sort((a, b) => a.seq - b.seq);
}

test("the log of reads is assigned to its objects, in pieces of any size", async () => {
  const error = { code: "object_archived", message: "It is archived" };
  const lines = [[stored("a"), stored("b")], [], [excluded("c"), stored("d")]];
  const reads = [[{ key: "b", attempts: 3, error: null }], [{ key: "c", attempts: 2, error }]];
  const objects = await take(lines, reads);
  expect(objects.map(({ attempts }) => attempts)).toEqual([1, 3, 2, 1]);
  expect(objects[2]).toMatchObject({ state: "excluded", exclusion: "cold", error });
});

test("for packages without a log of reads, the known data is restored", async () => {
  const [object] = await take([[excluded("c")]]);
  expect(object).toMatchObject({ attempts: 1, error: { code: "object_archived" } });
  expect(object?.error?.message).toMatch(/\w/);
});

test("odd keys, fallback paths and metadata of responses are restored", async () => {
  const user = { userMetadata: { by: "Jürgen" }, userMetadataBytes: { by: "SvxyZ2Vu" } };
  const objects = await take([
    [
      stored("dir/", { path: "data/%keys/dir/%", contentPath: "v1/content/data/%keys/dir/%" }),
      stored("x", { contentPath: "v1/content/by-key/ab/cd", ...user, etagIsDigest: true }),
    ],
  ]);
  expect(objects).toMatchObject([
    {
      odd: true,
      path: "data/%keys/dir/%",
      contentPath: "data/%keys/dir/%",
      etag: '"e"',
      responseMetadata: {},
      etagIsDigest: false,
    },
    { odd: false, path: null, contentPath: "by-key/ab/cd", responseMetadata: user, etagIsDigest: true },
  ]);
});

test("the content paths of all versions are restored", async () => {
  const lines = [
    stored("read", { contentPath: "v3/content/data/read" }),
    stored("moved", { contentPath: "v3/content/by-key/ab" }),
    stored("there-before", { contentPath: "v1/content/data/another" }),
    stored("kept", { contentPath: "v2/content/data/kept", verifiedIn: 2 }),
    stored("kept-moved", { contentPath: "v2/content/by-key/cd", verifiedIn: 2 }),
    stored("kept-there-before", { contentPath: "v1/content/data/kept-there-before", verifiedIn: 2 }),
  ];
  const objects = await take([lines], undefined, 3);
  expect(objects.map((object) => contentPathOf(object, 3))).toEqual(lines.map(({ contentPath }) => contentPath));
  expect(objects.map(({ contentPath }) => contentPath)).toEqual([
    null,
    "by-key/ab",
    "v1/content/data/another",
    null,
    "by-key/cd",
    "v1/content/data/kept-there-before",
  ]);
});

test("more objects than a chunk can contain are restored, in any order", async () => {
  const keys = Array.from({ length: 2_500 }, () => randomUUID());
  const objects = await take([keys.map((key) => stored(key))]);
  expect(objects.map(({ key }) => key)).toEqual(keys);
});

test.each([
  [
    "reads of objects that are not listed",
    [[stored("a")]],
    [[{ key: "b", attempts: 2, error: null }]],
    "unexpected position",
  ],
  ["a key that is listed twice", [[stored("b"), stored("a"), stored("b")]], undefined, "twice"],
])("%s are refused", async (_, lines, reads, said) => {
  await expect(take(lines, reads)).rejects.toThrow(said);
});
