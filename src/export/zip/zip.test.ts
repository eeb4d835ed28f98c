import { spawnSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderOfTest } from "../../../packages/ocfl/tests/support/write-object.ts";
import { lacks, skipNote } from "../../../tests/support/tools.ts";
import { Spool } from "../spool.ts";
import { type ZipEntry, zip } from "./zip.ts";

const LOOK = `
import sys, zipfile, json
z = zipfile.ZipFile(sys.argv[1])
last = z.infolist()[-1]
print(json.dumps([len(z.infolist()), z.infolist()[0].file_size, last.filename, list(last.date_time), z.read(last).decode()]))`;

/** Writes a ZIP, with holes for sections of zeros, and reads its directory with another program. */
async function look(entries: AsyncIterable<ZipEntry>): Promise<unknown> {
  const folder = await folderOfTest();
  await using directory = await Spool.create(folder);
  const path = join(folder, "a.zip");
  await using file = await open(path, "w");
  let at = 0;
  let some: Uint8Array[] = [];
  const write = async () => {
    const bytes = Buffer.concat(some);
    await file.write(bytes, 0, bytes.length, at);
    at += bytes.length;
    some = [];
  };
  for await (const bytes of zip(entries, directory)) {
    const isZeros = bytes.buffer === ZEROS.buffer;
    if (!isZeros) some.push(bytes);
    if (isZeros || some.length === 1_000) await write();
    if (isZeros) at += bytes.length;
  }
  await write();
  await file.close();
  const run = spawnSync("python3", ["-c", LOOK, path], { encoding: "utf8" });
  return run.status === 0 ? JSON.parse(run.stdout) : run.stderr;
}

const ZEROS = new Uint8Array(16 << 20);
const modified = new Date("2026-06-01T10:20:30Z");
const small = (name: string): ZipEntry => ({ name, bytes: 5, modified, content: [Buffer.from("small")] });

describe.skipIf(lacks("python3"))(`ZIP64, read by Python ${skipNote("python3")}`, () => {
  test("a file and an offset of more than 4 GiB", { tags: "extended" }, async () => {
    const pieces = 257;
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { name: "large", bytes: pieces * ZEROS.length, modified, content: Array(pieces).fill(ZEROS) };
      yield small("dir/after é");
    }
    expect(await look(entries())).toEqual([2, pieces * ZEROS.length, "dir/after é", [2026, 6, 1, 10, 20, 30], "small"]);
  });

  test("a file that is smaller than 4 GiB without, and larger with the headers of its blocks", {
    tags: "extended",
  }, async () => {
    const bytes = 2 ** 32 - 2 ** 16;
    const rest = ZEROS.subarray(0, bytes % ZEROS.length);
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { name: "large", bytes, modified, content: [...Array(255).fill(ZEROS), rest] };
      yield small("after");
    }
    expect(await look(entries())).toEqual([2, bytes, "after", [2026, 6, 1, 10, 20, 30], "small"]);
  });

  test("more than 65,535 files", async () => {
    async function* entries(): AsyncGenerator<ZipEntry> {
      for (let n = 1; n <= 66_000; n++) yield small(`f${n}`);
    }
    expect(await look(entries())).toEqual([66_000, 5, "f66000", [2026, 6, 1, 10, 20, 30], "small"]);
  });

  test("times outside its range become the nearest time in the range", async () => {
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { ...small("old"), modified: new Date(0) };
    }
    expect(await look(entries())).toEqual([1, 5, "old", [1980, 1, 1, 0, 0, 0], "small"]);
  });
});

test.each([
  [6, "5 bytes instead of 6"],
  [4, "more than 4 bytes"],
  [0, "more than 0 bytes"],
])("an entry that does not have the stated %i bytes fails", async (bytes, message) => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { ...small("x"), bytes };
  }
  await expect(look(entries())).rejects.toThrow(message);
});
