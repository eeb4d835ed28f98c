import { expect, test } from "vitest";
import { type Entry, FileTable } from "./file-table.ts";

const file = (content: string, lastModified = 1) => new File([content], "name", { lastModified });
const known = (path: string, bytes: number, receivedBytes = bytes) => ({
  path,
  bytes,
  receivedBytes,
  sha512: "00",
  digestMismatch: false,
  completedAt: receivedBytes === bytes ? "2026-11-29T00:00:00Z" : null,
  url: `/uploads/1/files/${path}`,
});
const sums = ({ size, bytes, arrived, unread }: FileTable) => ({ size, bytes, arrived, unread });
const paths = (entries: readonly Entry[]) => entries.map(({ path }) => path);

test("a chosen file of the size that the upload has counts as arrived until it was read", () => {
  const table = new FileTable();
  table.compare([known("same", 3), known("part", 5, 2), known("longer", 5)]);
  expect(sums(table)).toEqual({ size: 3, bytes: 13, arrived: 10, unread: 0 });
  expect(table.hasChosen).toBe(false);
  for (const [path, content] of [
    ["same", "abc"],
    ["part", "abcde"],
    ["longer", "a"],
    ["new", "ab"],
  ] as const)
    table.choose(path, file(content));
  expect(table.hasChosen).toBe(true);
  expect(sums(table)).toEqual({ size: 4, bytes: 11, arrived: 5, unread: 11 });
  expect(table.counts()).toMatchObject({ waiting: 4, extra: 0, partial: 0 });
});

test("what must be read falls while a file is read, and rises again if that is interrupted", () => {
  const table = new FileTable();
  const { entry } = table.choose("a", file("abcdef"));
  table.move(entry, "reading");
  table.read(entry, 4);
  expect(table.unread).toBe(2);
  table.move(entry, "waiting");
  expect(table.unread).toBe(6);
  table.identify(entry, "00");
  expect(table.unread).toBe(0);
  table.choose("a", file("abc", 2));
  expect(sums(table)).toEqual({ size: 1, bytes: 3, arrived: 0, unread: 3 });
  table.delete(entry);
  table.delete(entry);
  expect(sums(table)).toEqual({ size: 0, bytes: 0, arrived: 0, unread: 0 });
});

test("another file at the path of a chosen one replaces it, and the same one does not", () => {
  const table = new FileTable();
  expect(table.choose("a", file("abc")).replaced).toBe(false);
  expect(table.choose("a", file("abc")).replaced).toBe(false);
  expect(table.choose("a", file("abc", 2)).replaced).toBe(true);
  expect([...table.chosen().keys()]).toEqual(["a"]);
});

test("files of the upload that are known meanwhile are related to chosen ones, and pages have the order of the choice", () => {
  const table = new FileTable();
  table.choose("b", file("abc"));
  table.choose("a", file("abc"));
  table.compare([known("b", 3), known("c", 3)]);
  expect(sums(table)).toEqual({ size: 3, bytes: 9, arrived: 6, unread: 6 });
  expect(paths(table.slice(undefined, 0, 2))).toEqual(["b", "a"]);
  expect(paths(table.slice(undefined, 2, 9))).toEqual(["c"]);
  expect(paths(table.slice("extra", 0, 9))).toEqual(["c"]);
});

test("what others remove, replace, add or complete is noticed, and files that were sent from here are kept for a decision", () => {
  const table = new FileTable();
  table.compare([known("other", 3), known("gone", 3), known("growing", 5, 2)]);
  const chosen = ["kept", "lost", "replaced"].map((path) => {
    const { entry } = table.choose(path, file("abc"));
    table.identify(entry, path === "replaced" ? "01" : "00");
    table.arrive(entry, 3);
    table.move(entry, "done");
    return entry;
  });
  table.compare([known("other", 4), known("growing", 5), known("kept", 3), known("replaced", 3), known("added", 1)]);
  expect(chosen.map(({ state, failure }) => [state, (failure as { what?: string })?.what])).toEqual([
    ["done", undefined],
    ["failed", "removed"],
    ["failed", "replaced"],
  ]);
  expect(paths(table.slice("extra", 0, 9)).sort()).toEqual(["added", "growing", "other"]);
  expect(sums(table)).toEqual({ size: 6, bytes: 19, arrived: 16, unread: 0 });
  expect(table.unstated).toBe(0);
  table.compare([{ ...known("other", 4), sha512: null as never }]);
  expect(table.unstated).toBe(1);
});
