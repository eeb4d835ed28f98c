import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { LAYOUT, objectFolder, sha512, folderTest as test, withFolder } from "../../tests/support/write-object.ts";
import { validateStorageRoot } from "../validate-storage-root.ts";
import { createStorageRoot } from "./storage-root.ts";

test("an object is stored below three tuples of its id's SHA-512", () => {
  const digest = sha512("urn:uuid:é");
  const tuples = [digest.slice(0, 3), digest.slice(3, 6), digest.slice(6, 9)];
  expect(objectFolder("urn:uuid:é")).toBe([...tuples, digest].join("/"));
});

test("a storage root is created once, and contains only its declaration and layout", async ({ folder }) => {
  const root = join(folder, "a", "ocfl");
  await createStorageRoot(root, LAYOUT);
  await createStorageRoot(root, LAYOUT);
  expect((await readdir(root)).sort()).toEqual(["0=ocfl_1.1", "extensions", "ocfl_layout.json"]);
  const extension = "0004-hashed-n-tuple-storage-layout";
  expect(await readdir(join(root, "extensions"))).toEqual([extension]);
  const config = JSON.parse(await readFile(join(root, "extensions", extension, "config.json"), "utf8"));
  expect(config).toEqual({
    extensionName: extension,
    digestAlgorithm: "sha512",
    tupleSize: 3,
    numberOfTuples: 3,
    shortObjectRoot: false,
  });
  expect(await validateStorageRoot(root)).toMatchObject({ ok: true, findings: [], objects: 0 });
});

test("an interrupted creation is completed", async ({ folder: root }) => {
  await createStorageRoot(root, LAYOUT);
  await writeFile(join(root, "0=ocfl_1.1.tmp"), "");
  await rm(join(root, "0=ocfl_1.1"));
  await createStorageRoot(root, LAYOUT);
  expect((await readdir(root)).sort()).toEqual(["0=ocfl_1.1", "extensions", "ocfl_layout.json"]);
});

test("a folder in use and a root of another kind are refused", async () => {
  await withFolder(async (folder) => {
    await writeFile(join(folder, "thesis.doc"), "");
    await expect(createStorageRoot(folder, LAYOUT)).rejects.toThrow("not empty (it contains “thesis.doc”)");
  });
  await withFolder(async (folder) => {
    await writeFile(join(folder, "0=ocfl_1.0"), "ocfl_1.0\n");
    await expect(createStorageRoot(folder, LAYOUT)).rejects.toThrow("another kind (0=ocfl_1.0)");
  });
  await withFolder(async (folder) => {
    await writeFile(join(folder, "0=ocfl_1.1"), "ocfl_1.1\n");
    await writeFile(join(folder, "ocfl_layout.json"), '{"extension":"0003-hash-and-id-n-tuple-storage-layout"}');
    await expect(createStorageRoot(folder, LAYOUT)).rejects.toThrow("another layout");
  });
  await withFolder(async (folder) => {
    await createStorageRoot(folder, LAYOUT);
    const config = join(folder, "extensions", "0004-hashed-n-tuple-storage-layout", "config.json");
    await writeFile(config, (await readFile(config, "utf8")).replace('"tupleSize": 3', '"tupleSize": 2'));
    await expect(createStorageRoot(folder, LAYOUT)).rejects.toThrow("tupleSize is 2");
  });
});
