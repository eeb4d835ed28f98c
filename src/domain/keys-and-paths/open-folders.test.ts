import fc from "fast-check";
import { expect, test } from "vitest";
import { compareKeys, OpenFolders } from "./path.ts";

const key = fc.string({ unit: fc.constantFrom("a", "b", "!", "/", "0", "é", "😀"), minLength: 1, maxLength: 6 });
const keySets = fc.oneof(
  fc.uniqueArray(key, { maxLength: 40 }),
  fc.subarray(["a", "a!", "a/", "a/b", "a//b", "a0", "ab", "ab/c", "ab/c/", "ab/c/d", "a/b/c", "/", "//", "/a"]),
);

/** Processes keys in byte order. Every `restartEvery` keys it continues from the saved state, as after a restart. */
function foldersOf(keys: string[], restartEvery: number): number[] {
  let folders = new OpenFolders();
  const found: number[] = [];
  for (const [seq, name] of keys.entries()) {
    if (seq % restartEvery === 0) folders = new OpenFolders(keys[seq - 1], structuredClone(folders.state));
    for (const folder of folders.next(name, seq)) {
      expect(folder.key).toBe(keys[folder.seq]);
      found.push(folder.seq);
    }
  }
  return found.sort((a, b) => a - b);
}

test("keys that are folders of other keys are found once each", () => {
  fc.assert(
    fc.property(keySets, fc.integer({ min: 1, max: 7 }), (set, restartEvery) => {
      const keys = set.toSorted(compareKeys);
      const naive = keys.flatMap((one, seq) => (keys.some((other) => other.startsWith(`${one}/`)) ? [seq] : []));
      expect(foldersOf(keys, restartEvery)).toEqual(naive);
    }),
  );
});

test("only prefixes of the last key stay open, and no unwatched key", () => {
  const folders = new OpenFolders();
  for (const [seq, name] of ["a", "a!", "a!b", "b"].entries()) folders.next(name, seq);
  expect(folders.state).toEqual([{ length: 1, seq: 3 }]);
  folders.next("b/", 4, false);
  expect(folders.next("b//c", 5)).toEqual([]);
});
