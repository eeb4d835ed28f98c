import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Problem } from "../../domain/problems.ts";
import type { ListedObject, ObjectReading, Source } from "../source.ts";
import { linesOf } from "./list-lines.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-lists-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let held = 0;
async function hold(bytes: number) {
  if (bytes > 1_000_000) throw new Problem("no_space");
  held += bytes;
  let left = bytes;
  const use = (written: number) => {
    const used = Math.min(written, left);
    left -= used;
    held -= used;
  };
  return { use, release: () => use(left) };
}

const read = async (
  text: string,
  signal = new AbortController().signal,
  each: () => void = () => {},
  /** What the source sends, read by read. */
  sent: string[] = [text],
  etag: string | null = null,
) => {
  const source: Pick<Source, "read"> = {
    async read(_: ObjectReading, destination) {
      destination.begin({ headers: {}, etag, bytes: Buffer.byteLength(text) }, 0);
      destination.write(0, Buffer.from(sent.shift() ?? "not expected"));
      return { verdict: await destination.verdict(), responseMetadata: {} };
    },
  };
  const object: ListedObject = { key: "sums", bytes: text.length, etag: null, lastModified: null, storageClass: null };
  const lines: string[] = [];
  for await (const line of linesOf(
    { source: source as Source, scratch: { folder, hold }, owner: "o", signal },
    object,
  )) {
    lines.push(line);
    each();
  }
  return lines;
};

test("lines are read in order, across the pieces of a file", async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${"é".repeat(index % 40)}`);
  expect(await read(`${lines.join("\n")}\n`)).toEqual(lines);
});

test("reading ends when its signal is aborted", async () => {
  const controller = new AbortController();
  let lines = 0;
  const reading = read("\n".repeat(1_000_000), controller.signal, () => {
    lines++;
    controller.abort(new Error("cancelled"));
  });
  await expect(reading).rejects.toThrow("cancelled");
  expect(lines).toBeLessThan(100_000);
});

test("a list that differs from its ETag is read again, and accepted if both reads are the same", async () => {
  const etag = `"${createHash("md5").update("right").digest("hex")}"`;
  const all = (...sent: string[]) => read("right", undefined, undefined, sent, etag);
  expect(await all("right")).toEqual(["right"]);
  expect(await all("wrong", "right")).toEqual(["right"]);
  expect(await all("other", "other")).toEqual(["other"]);
  await expect(all("wrong", "other")).rejects.toMatchObject({ code: "digest_list_unreadable" });
});

test("a list for which there is no space is not read, and none is held after the others", async () => {
  await expect(read("x".repeat(1_000_001))).rejects.toMatchObject({ code: "no_space" });
  expect(await read("x".repeat(1_000))).toHaveLength(1);
  const etag = `"${createHash("md5").update("right").digest("hex")}"`;
  await expect(read("right", undefined, undefined, ["wrong", "other"], etag)).rejects.toThrow();
  expect(held).toBe(0);
});
