import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { folderOfTest } from "../../packages/ocfl/tests/support/write-object.ts";
import { bagNames, nameInPackage } from "../../packages/rules/src/index.ts";
import { bagErrors, bagitPyErrors, crateErrors, type Files } from "../../tests/support/archive/package-formats.ts";
import { sampleFacts } from "../../tests/support/archive/sample.ts";
import { Crate, NAMED_FILES } from "../describe/formats/ro-crate/ro-crate.ts";
import { isPlainKey, markerFor, pathOf } from "../domain/keys-and-paths/path.ts";
import { bagEntries } from "./bag.ts";
import type { OpenFile } from "./contents.ts";
import { crateEntries, withNamesInCrate } from "./crate-names.ts";
import type { ZipEntry } from "./zip/zip.ts";

function file(path: string, text = path): OpenFile {
  const content = Buffer.from(text);
  const sha512 = createHash("sha512").update(content).digest("hex");
  return { path, bytes: content.length, sha512, contentPath: path, modified: 0, content: [content] };
}

/** A dataset with these paths and its crate. */
function* dataset(paths: readonly string[]): Generator<OpenFile> {
  const crate = new Crate(sampleFacts({}, { objects: paths.length }));
  for (const path of paths) crate.add(file(path));
  yield file("metadata/source-manifest.jsonl");
  yield file("ro-crate-metadata.json", crate.toString({ bytes: 0, sha512: "" }));
  for (const path of paths) yield file(path);
}

async function* each(files: Iterable<OpenFile>): AsyncGenerator<OpenFile> {
  yield* files;
}

async function read(entries: AsyncIterable<ZipEntry>): Promise<Files> {
  const files: Files = new Map();
  for await (const { name, content } of entries) {
    if (files.has(name)) throw new Error(`twice: ${name}`);
    files.set(name, Buffer.concat(await Array.fromAsync(content)));
  }
  return files;
}

const zipOf = (paths: readonly string[]) => read(crateEntries(withNamesInCrate(each(dataset(paths)), nameInPackage)));

async function bagOf(paths: readonly string[], marker: string): Promise<Files> {
  const scratch = await folderOfTest();
  const nameOf = bagNames(marker);
  const files = withNamesInCrate(each(dataset(paths)), nameOf);
  return read(bagEntries(files, { base: "", info: [], created: new Date(), scratch, nameOf }));
}

const few = ["data/%keys/run/%", "data/run/b.csv", "data/=keys/x", "data/x\\..\\y/z"];
/** Not in the order of folders, because a source may list objects like this. */
const many = [...few, ...Array.from({ length: NAMED_FILES }, (_, n) => `data/folder-${n % 7}/${n}`)];

test.each([
  ["a few files", few],
  ["more files than a crate names", many],
  ["more folders than a crate names", Array.from({ length: NAMED_FILES + 500 }, (_, n) => `data/${n}/x`)],
])(
  "every folder that the crate of %s describes has an entry, in a ZIP and in a bag",
  async (_, paths) => {
    expect(crateErrors(await zipOf(paths))).toEqual([]);
    const bag = await bagOf(paths, "%keys");
    expect(crateErrors(bag)).toEqual([]);
    expect(bagErrors(bag)).toEqual([]);
    expect(bagitPyErrors(bag)).toEqual([]);
  },
  20_000,
);

test("no two keys have the same name in a bag, and only plain keys have percent signs", () => {
  const part = fc.constantFrom("=keys", "%keys", "=", "%", "=3D", "%2F", "..", "\\", "", "x", "\r", "\0");
  const key = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 12 }), (keys) => {
      const marker = markerFor(keys);
      const names = keys.map((one) => {
        const isFolder = keys.some((other) => other.startsWith(`${one}/`));
        const name = bagNames(marker)(pathOf(one, { isFolder, marker }));
        expect(name.includes("%")).toBe(isPlainKey(one) && !isFolder && name === `data/${one}` && one.includes("%"));
        expect(name.split(/[\\/]/)).not.toContain("..");
        return name;
      });
      expect(new Set(names).size).toBe(keys.length);
      for (const name of names) expect(names.some((other) => other.startsWith(`${name}/`))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});
