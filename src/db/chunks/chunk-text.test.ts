import fc from "fast-check";
import { expect, test } from "vitest";
import { joinLines, readChunkText, readObject, splitLines, writeChunk, writeObject } from "./chunk-text.ts";
import type { ObjectRecord } from "./objects.ts";

const text = fc.string({ unit: fc.constantFrom("a", "\0", '"', "\\", "\n", ",", "},", "[", "]", "é", "😀", "\u2028") });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const digest = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("hex"));

const object = fc.record({
  key: text,
  bytes: fc.nat(),
  etag: orNull(text.filter((one) => one !== "")),
  lastModified: orNull(fc.constantFrom("2026-06-01T06:00:00.000Z", "2026-06-01T06:00:00Z")),
  storageClass: orNull(fc.constantFrom("STANDARD", "GLACIER")),
  odd: fc.boolean(),
  path: orNull(text),
  state: fc.constantFrom("listed", "stored", "failed", "excluded"),
  contentPath: orNull(text),
  sha512: orNull(digest),
  verifiedBy: orNull(text),
  verifiedWith: orNull(text),
  stated: orNull(fc.constantFrom({ md5: "00ff" }, { sha256: "00ff", md5: "aa" })),
  etagIsDigest: fc.boolean(),
  verifiedIn: orNull(fc.nat({ max: 9 }).map((version) => version + 1)),
  suspect: fc.boolean(),
  responseMetadata: orNull(fc.constantFrom({}, { contentType: "a,\nb", userMetadata: { a: "\n" } })),
  attempts: fc.nat({ max: 9 }),
  error: orNull(fc.record({ code: text, message: text })),
  exclusion: orNull(text),
});
const listing = fc
  .tuple(fc.nat(), fc.array(object, { minLength: 1, maxLength: 6 }))
  .map(([first, list]): ObjectRecord[] => list.map((one, index) => ({ seq: first + index, ...one }) as ObjectRecord));

test("written objects are read back unchanged, as a whole and line by line", () => {
  fc.assert(
    fc.property(listing, (objects) => {
      const written = writeChunk(objects);
      const first = objects[0]?.seq ?? 0;
      expect(readChunkText(written, first)).toEqual(objects);
      const lines = splitLines(written);
      expect(lines.map((line, index) => readObject(line, first + index))).toEqual(objects);
      expect(joinLines(lines.map((line, index) => writeObject(readObject(line, first + index))))).toBe(written);
    }),
  );
});

test("times that an older version stored as the server had stated them are read in ISO 8601", () => {
  const line = JSON.stringify({ k: "a", b: 1, t: "Mon, 01 Jun 2026 06:00:00 GMT" });
  expect(readObject(line, 0).lastModified).toBe("2026-06-01T06:00:00.000Z");
  expect(readObject(JSON.stringify({ k: "a", b: 1, t: "never" }), 0).lastModified).toBeNull();
});
