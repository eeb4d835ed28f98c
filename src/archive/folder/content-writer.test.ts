import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { folderOfTest } from "../../../packages/ocfl/tests/support/write-object.ts";
import type { StagingArea } from "../store.ts";
import { FolderContentWriter, type FolderContentWriterOptions } from "./content-writer.ts";
import { FolderStore } from "./store.ts";

const ID = "0b9a3a5e-5f0c-4c1c-8d5a-000000000001";
let root: string;
let store: FolderStore;
let area: StagingArea;

beforeEach(async () => {
  root = await folderOfTest();
  store = await FolderStore.open(root, { share: 0, bytes: 0 });
  area = store.staging(ID, ID, 1);
  await area.begin(1);
});

const writer = (attempt = 1) => new FolderContentWriter(area.writerOptions(attempt) as FolderContentWriterOptions);
/** A file of 10 bytes in pieces, of which the first ones are kept for the next try. */
async function keptFile(kept = 10) {
  const file = writer().open(3, "object A");
  file.write(0, bytes("0123456789"));
  await file.keep(kept);
  return file;
}
const content = () => join(root, "staging", ID, "package/v1/content");
const stored = (path: string) => readFileSync(join(content(), path), "utf8");
const incoming = () => readdirSync(join(root, "staging", ID, "incoming/1"));
const bytes = (text: string) => Buffer.from(text);

describe("content", () => {
  test("is stored at its path, and no temporary file is left", () => {
    expect(writer().store("plots/1.csv", false, bytes("one"))).toBeNull();
    expect(stored("data/plots/1.csv")).toBe("one");
    expect(incoming()).toEqual([]);
  });

  test("is stored at the path made of its key's digest if the natural path is taken", () => {
    const one = writer();
    expect(one.store("a", false, bytes("file"))).toBeNull();
    const place = one.store("a/b", false, bytes("below"));
    expect(place).toMatch(/^by-key\//);
    expect(readFileSync(join(content(), place ?? ""), "utf8")).toBe("below");
    expect(one.store("c/d", false, bytes("below"))).toBeNull();
    expect(one.store("c", false, bytes("file"))).toMatch(/^by-key\//);
    expect(one.store(`${"x".repeat(256)}`, false, bytes("long"))).toMatch(/^by-key\//);
  });

  test("of an earlier try is replaced", () => {
    writer().store("k", false, bytes("first"));
    writer().store("k", false, bytes("second"));
    expect(stored("data/k")).toBe("second");
  });

  test("of an attempt that is over is never placed", async () => {
    const late = writer(1);
    const file = late.open(7, "large");
    file.write(0, bytes("late"));
    await area.begin(2);
    expect(() => late.store("k", false, bytes("late"))).toThrow();
    expect(() => late.place(file, "k", false)).toThrow();
    expect(existsSync(join(content(), "data/k"))).toBe(false);
    expect(writer(2).store("k", false, bytes("now"))).toBeNull();
  });

  test("uses the link of its attempt while the attempt begins once more", async () => {
    const one = writer();
    await Promise.all([area.begin(1), area.begin(1)]);
    expect(one.store("k", false, bytes("still"))).toBeNull();
    await area.begin(1);
    expect(one.store("l", false, bytes("still"))).toBeNull();
  });

  test("that cannot be placed is kept for the next try", async () => {
    const one = writer();
    const file = one.open(5, "object A");
    file.write(0, bytes("0123456789"));
    await rm(join(root, "staging", ID, "content-of-1"));
    expect(() => one.place(file, "k", false)).toThrow();
    await file.keep(10);
    file.release();
    await area.begin(1);
    expect(writer().open(5, "object A").kept).toBe(10);
  });

  test("of a removed submission recreates nothing", async () => {
    const late = writer();
    await store.discard(ID);
    expect(() => late.store("k", false, bytes("late"))).toThrow();
    expect(() => late.open(7, "large")).toThrow();
    expect(readdirSync(join(root, "staging"))).toEqual([]);
  });
});

describe("a file in pieces", () => {
  test("is kept up to the noted position, under a new name for the next try", async () => {
    const first = await keptFile(6);
    const second = writer().open(3, "object A");
    expect(second.kept).toBe(6);
    // The earlier holder may still finish a write that is in progress, but can no longer place the file.
    expect(() => writer().place(first, "k", false)).toThrow();
    second.write(6, bytes("abcd"));
    expect(writer().place(second, "k", false)).toBeNull();
    expect(stored("data/k")).toBe("012345abcd");
    expect(incoming()).toEqual([]);
  });

  test("is kept for a third try if the second noted nothing", async () => {
    await keptFile();
    writer().open(3, "object A").release();
    expect(writer().open(3, "object A").kept).toBe(10);
  });

  test.each([
    "",
    "{",
    "null",
    '{"identity":"other"}',
    '{"identity":"object A"}',
    '{"identity":"object A","name":"nowhere","bytes":5}',
  ])("starts again if the note is %j", (note) => {
    writeFileSync(join(root, "staging", ID, "incoming/1/object-3.kept"), note);
    expect(writer().open(3, "object A").kept).toBe(0);
  });

  test("is not used for another object", async () => {
    await keptFile();
    expect(writer().open(3, "object B").kept).toBe(0);
    expect(writer().open(4, "object A").kept).toBe(0);
  });

  test("that starts again leaves the old file to the writer that took it over", async () => {
    const first = await keptFile();
    const second = writer().open(3, "object A");
    first.restart();
    first.write(0, bytes("new"));
    expect(readFileSync(second.path, "utf8")).toBe("0123456789");
  });

  test("leaves nothing if it is discarded, or released without a note", async () => {
    const noted = writer().open(1, "A");
    noted.write(0, bytes("x"));
    await noted.keep(1);
    noted.discard();
    writer().open(2, "B").release();
    expect(incoming()).toEqual([]);
  });
});

describe("placed content", () => {
  const many = Array.from({ length: 30 }, (_, i) => `f/${i % 3}/${i}`);

  test.each([
    ["at once", tmpdir()],
    ["separately for each file, on a file system in memory", "/dev/shm"],
  ])("is synced %s", async (_, place) => {
    const folder = await mkdtemp(join(place, "accession-test-"));
    try {
      const there = (await FolderStore.open(folder, { share: 0, bytes: 0 })).staging(ID, ID, 1);
      await there.begin(1);
      const one = new FolderContentWriter(there.writerOptions(1) as FolderContentWriterOptions);
      for (const key of many) one.store(key, false, bytes(key));
      const paths = many.map((key) => `data/${key}`);
      await there.sync(paths);
      await Promise.all([there.sync(paths.slice(0, 1)), there.sync(paths), there.sync([])]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("that does not exist is an error of the sync", async () => {
    await expect(area.sync(["data/nowhere"])).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("the package", () => {
  const inStaging = () => readdirSync(join(root, "staging", ID)).sort();

  test("is taken over under a name with the fence, and reopened when an attempt begins", async () => {
    writer().store("k", false, bytes("one"));
    const first = await area.package(1, 1);
    expect(await first.sizes(["data/k"])).toEqual([3]);
    const second = await area.package(4, 1);
    expect(inStaging()).toEqual(["incoming", "package-4-of-attempt-1"]);
    expect(await first.sizes(["data/k"])).toEqual([undefined]);
    await expect(area.package(2, 1)).rejects.toMatchObject({ code: "wrong_state" });
    expect(await second.sizes(["data/k"])).toEqual([3]);
    await area.begin(2);
    expect(inStaging()).toEqual(["content-of-2", "incoming", "package"]);
    expect(stored("data/k")).toBe("one");
  });

  test("that a superseded worker recreates under an old name is not used", async () => {
    writer().store("k", false, bytes("one"));
    await area.package(1, 1);
    await area.package(2, 1);
    mkdirSync(join(root, "staging", ID, "package-1-of-attempt-1/v1/content/metadata"), { recursive: true });
    const third = await area.package(3, 1);
    expect(await third.sizes(["data/k"])).toEqual([3]);
    expect(inStaging()).toEqual(["incoming", "package-3-of-attempt-1"]);
  });

  test("is not reopened by its own attempt, whose link stays absent", async () => {
    writer().store("k", false, bytes("one"));
    const late = writer();
    await area.package(1, 1);
    await expect(area.begin(1)).rejects.toMatchObject({ code: "wrong_state" });
    expect(inStaging()).toEqual(["incoming", "package-1-of-attempt-1"]);
    expect(() => late.store("l", false, bytes("late"))).toThrow();
    await area.begin(2);
    await expect(area.begin(1)).rejects.toMatchObject({ code: "wrong_state" });
    await expect(area.package(2, 1)).rejects.toMatchObject({ code: "wrong_state" });
    expect(inStaging()).toEqual(["content-of-2", "incoming", "package"]);
  });

  test("is the one with the content, even if a late attempt has created another folder", async () => {
    writer().store("k", false, bytes("one"));
    await area.package(1, 1);
    mkdirSync(content(), { recursive: true });
    const second = await area.package(2, 1);
    expect(await second.sizes(["data/k"])).toEqual([3]);
    expect(inStaging()).toEqual(["incoming", "package-2-of-attempt-1"]);
  });

  test("that an earlier release named without its attempt can be taken over and published", async () => {
    writer().store("k", false, bytes("one"));
    await area.package(1, 1);
    const was = (name: string, before: string) =>
      renameSync(join(root, "staging", ID, before), join(root, "staging", ID, name));
    was("package-1", "package-1-of-attempt-1");
    const second = await area.package(2, 1);
    expect(await second.sizes(["data/k"])).toEqual([3]);
    was("package-2", "package-2-of-attempt-1");
    await area.begin(2);
    await area.package(3, 2);
    was("package-3", "package-3-of-attempt-2");
    await store.publish({ submission: ID, dataset: ID, version: 1, fence: 3, receipt: "" });
    expect(readFileSync(join(store.locate(ID), "v1/content/data/k"), "utf8")).toBe("one");
  });

  test("that an earlier release named without a fence is published", async () => {
    writer().store("k", false, bytes("one"));
    await store.publish({ submission: ID, dataset: ID, version: 1, fence: 7, receipt: "" });
    expect(readFileSync(join(store.locate(ID), "v1/content/data/k"), "utf8")).toBe("one");
  });
});
