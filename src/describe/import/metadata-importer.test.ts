import { afterEach, expect, test, vi } from "vitest";
import { MAX_METADATA_FILE_BYTES } from "../../../packages/rules/src/index.ts";
import type { FileKind } from "./file-kinds.ts";
import { MetadataImporter } from "./metadata-importer.ts";

const { signal } = new AbortController();
const bytes = (text: string) => Buffer.from(text);
const large = bytes(`{"@graph": [${"{},".repeat(MAX_METADATA_FILE_BYTES / 8)}{}]}`);
const file = (kind: FileKind, content: Uint8Array, owner = "josiah") => ({ kind, bytes: content, owner });
const importers: MetadataImporter[] = [];

function importer(limitMs?: number): MetadataImporter {
  const made = new MetadataImporter(limitMs);
  importers.push(made);
  return made;
}

afterEach(async () => {
  for (const made of importers.splice(0)) await made.close();
});

test("a file is parsed in another thread, which a damaged file does not end", async () => {
  const files = importer();
  const damaged = files.read(file("bids", bytes("{")), signal);
  const good = files.read(file("bids", bytes('{"Name": "A title"}')), signal);
  await expect(damaged).rejects.toMatchObject({
    code: "metadata_file_invalid",
    message: expect.stringContaining("line 1"),
  });
  expect(await good).toEqual({ values: { title: "A title" }, remarks: [] });
});

test("a file that takes too long is refused, and the next one is read by a new thread", async () => {
  const files = importer(100);
  await expect(files.read(file("ro-crate", large), signal)).rejects.toMatchObject({
    code: "metadata_file_invalid",
    message: "The RO-Crate file takes too long to read.",
  });
  // The start of the new thread exceeds this limit, and does not count. On a busy machine the thread itself may have to wait.
  await vi.waitFor(async () =>
    expect(await files.read(file("readme", bytes("# A title")), signal)).toMatchObject({
      values: { title: "A title" },
    }),
  );
});

test("a file whose caller is gone is not parsed", async () => {
  const files = importer();
  const gone = new AbortController();
  const first = files.read(file("bids", bytes('{"Name": "A title"}')), signal);
  const second = files.read(file("bids", bytes('{"Name": "Another title"}')), gone.signal);
  gone.abort(new Error("The client disconnected"));
  await expect(second).rejects.toThrow("The client disconnected");
  expect((await first).values.title).toBe("A title");
});

test("a file of another owner waits for one file only, and a caller that no longer waits for none", async () => {
  const files = importer();
  const order: string[] = [];
  const read = (owner: string, name: string) =>
    files.read(file("bids", bytes(`{"Name": "${name}"}`), owner), signal).then(({ values }) => {
      order.push(values.title ?? "");
    });
  const gone = new AbortController();
  const slow = files.read(file("ro-crate", large), gone.signal);
  const many = ["a1", "a2", "a3", "a4"].map((name) => read("josiah", name));
  const other = [read("maria", "b1"), read("maria", "b2")];
  gone.abort(new Error("The time is over"));
  await expect(slow).rejects.toThrow("The time is over");
  expect(order).toEqual([]);
  await Promise.all([...many, ...other]);
  expect(order.slice(0, 4)).toEqual(["a1", "b1", "a2", "b2"]);
});
