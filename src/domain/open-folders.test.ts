import fc from "fast-check";
import { expect, test } from "vitest";
import { compareKeys, OpenFolders } from "./path.ts";

const key = fc.string({ unit: fc.constantFrom("a", "b", "!", "/", "0", "é", "😀"), minLength: 1, maxLength: 6 });
const keySets = fc.oneof(
  fc.uniqueArray(key, { maxLength: 40 }),
  fc.subarray(["a", "a!", "a/", "a/b", "a//b", "a0", "ab", "ab/c", "ab/c/", "ab/c/d", "a/b/c", "/", "//", "/a"]),
);

/** Goes over keys in byte order; every few keys it begins anew from what was kept, as after a restart. */
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

test("the keys that are folders of others are found, each once", () => {
  fc.assert(
    fc.property(keySets, fc.integer({ min: 1, max: 7 }), (set, restartEvery) => {
      const keys = set.toSorted(compareKeys);
      const naive = keys.flatMap((one, seq) => (keys.some((other) => other.startsWith(`${one}/`)) ? [seq] : []));
      expect(foldersOf(keys, restartEvery)).toEqual(naive);
    }),
  );
});

test("only beginnings of the last key stay open, and none that is not watched", () => {
  const folders = new OpenFolders();
  for (const [seq, name] of ["a", "a!", "a!b", "b"].entries()) folders.next(name, seq);
  expect(folders.state).toEqual([{ length: 1, seq: 3 }]);
  folders.next("b/", 4, false);
  expect(folders.next("b//c", 5)).toEqual([]);
});
