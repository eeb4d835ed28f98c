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

const read = async (text: string, signal = new AbortController().signal, each: () => void = () => {}) => {
  const source: Pick<Source, "read"> = {
    async read(_: ObjectReading, destination) {
      destination.begin({ headers: {}, etag: null, bytes: Buffer.byteLength(text) }, 0);
      destination.write(0, Buffer.from(text));
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
