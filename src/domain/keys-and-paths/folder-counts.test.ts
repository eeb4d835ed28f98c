import { expect, test } from "vitest";
import { FolderCounts } from "./folder-counts.ts";

function counted(
  files: readonly [path: string, bytes: number, chunk: number][],
  most?: number,
  mostCharacters?: number,
) {
  const counts = new FolderCounts(most, mostCharacters);
  const isAll = files.every(([path, bytes, chunk], position) => counts.add(path, bytes, { chunk, position }));
  return { isAll, folders: counts.result() };
}

test("counts the files of each folder and of the folders below it, in any order", () => {
  const files: [string, number, number][] = [
    ["a/b/1", 1, 0],
    ["a/b/2", 2, 0],
    ["a/3", 4, 0],
    ["ab/4", 8, 1],
    ["a/b/5", 16, 1],
    ["6", 32, 2],
  ];
  const { folders } = counted(files);
  expect(folders.at(-1)).toEqual({ parent: "", name: "", files: 6, bytes: 63, chunks: [2], readme: null });
  expect(folders.toSorted((one, other) => one.bytes - other.bytes)).toEqual([
    { parent: "", name: "ab", files: 1, bytes: 8, chunks: [1], readme: null },
    { parent: "a/", name: "b", files: 3, bytes: 19, chunks: [0, 1], readme: null },
    { parent: "", name: "a", files: 4, bytes: 23, chunks: [0], readme: null },
    folders.at(-1),
  ]);
});

test("finds the file that describes a folder, whatever its case", () => {
  const { folders } = counted(
    ["README", "a/b", "a/ReadMe.MD", "a/readme.txt", "c/readme.html"].map((path) => [path, 1, 0]),
  );
  expect(Object.fromEntries(folders.map(({ name, readme }) => [name, readme]))).toEqual({ "": 0, a: 2, c: null });
});

test("reports that there are too many folders", () => {
  const files = Array.from({ length: 9 }, (_, n): [string, number, number] => [`${n}/x/file`, 1, 0]);
  expect(counted(files, 28).isAll).toBe(true);
  expect(counted(files, 27).isAll).toBe(false);
});

test("reports that the paths of all folders are too long together", () => {
  const files: [string, number, number][] = [
    ["ab/c/1", 1, 0],
    ["ab/c/2", 1, 0],
    ["ab/de/3", 1, 0],
  ];
  // Each folder has its path, and the one around it: 2, 3 + 1 and 3 + 2 characters.
  expect(counted(files, undefined, 11).isAll).toBe(true);
  expect(counted(files, undefined, 10).isAll).toBe(false);
});

test("a few long keys with many levels are too much", () => {
  const keys = Array.from({ length: 970 }, (_, n) => `${String(n).padStart(4, "0")}${"/a".repeat(490)}`);
  expect(counted(keys.map((key) => [key, 1, 0])).isAll).toBe(false);
});
