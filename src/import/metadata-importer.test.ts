import { afterEach, expect, test } from "vitest";
import { MAX_METADATA_FILE_BYTES } from "./file-kinds.ts";
import { MetadataImporter } from "./metadata-importer.ts";

const { signal } = new AbortController();
const bytes = (text: string) => Buffer.from(text);
const large = bytes(`{"@graph": [${"{},".repeat(MAX_METADATA_FILE_BYTES / 8)}{}]}`);
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
  const damaged = files.read("bids", bytes("{"), signal);
  const good = files.read("bids", bytes('{"Name": "A title"}'), signal);
  await expect(damaged).rejects.toMatchObject({
    code: "metadata_file_invalid",
    message: expect.stringContaining("line 1"),
  });
  expect(await good).toEqual({ values: { title: "A title" }, remarks: [] });
});

test("a file that takes too long is refused, and the next one is read by a new thread", async () => {
  const files = importer(1);
  await expect(files.read("ro-crate", large, signal)).rejects.toMatchObject({
    code: "metadata_file_invalid",
    message: "The RO-Crate file takes too long to read.",
  });
  // The start of the thread exceeds this limit too, so each file is refused on its own, not with the first one.
  await expect(files.read("readme", bytes("# A title"), signal)).rejects.toThrow("The README file takes too long");
});

test("a file whose caller is gone is not parsed", async () => {
  const files = importer();
  const gone = new AbortController();
  const first = files.read("bids", bytes('{"Name": "A title"}'), signal);
  const second = files.read("bids", bytes('{"Name": "Another title"}'), gone.signal);
  gone.abort(new Error("The client disconnected"));
  await expect(second).rejects.toThrow("The client disconnected");
  expect((await first).values.title).toBe("A title");
});
