import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ListedObject, ObjectReading, Source } from "../source.ts";
import { linesOf } from "./list-lines.ts";

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "accession-lists-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

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
  for await (const line of linesOf({ source: source as Source, scratch, owner: "o", signal }, object)) {
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
