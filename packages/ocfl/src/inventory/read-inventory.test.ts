import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { OcflObject, THREE } from "../../tests/support/object.ts";
import { HEAD, sha512, folderTest as test, withFolder, writeObject } from "../../tests/support/write-object.ts";
import {
  findContentPath,
  readInventorySummary,
  readManifest,
  readVersion,
  type VersionFile,
} from "./read-inventory.ts";

const FILES = { "data/a.txt": "alpha", "data/copy.txt": "alpha", "data/b.txt": "beta" };

async function withInventory<T>(work: (inventory: string) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    await writeObject(join(folder, "object"), FILES, join(folder, "scratch"));
    return work(join(folder, "object/inventory.json"));
  });
}

test("a summary contains everything except the files", async () => {
  const { id, created, message, user } = HEAD;
  expect(await withInventory((inventory) => readInventorySummary(inventory))).toEqual({
    id,
    type: "https://ocfl.io/1.1/spec/#inventory",
    digestAlgorithm: "sha512",
    head: "v1",
    contentDirectory: "content",
    versions: [{ name: "v1", created, message, user }],
  });
});

test("an inventory without an id has no summary", async ({ folder }) => {
  const inventory = join(folder, "inventory.json");
  await writeFile(inventory, "{}");
  await expect(readInventorySummary(inventory)).rejects.toThrow("has no “id”");
});

test("a manifest is passed path by path", async () => {
  await withInventory(async (inventory) => {
    const found = new Map<string, string>();
    await readManifest(inventory, (contentPath, digest) => found.set(contentPath, digest));
    const wanted = Object.entries(FILES).map(([path, text]) => [`v1/content/${path}`, sha512(text)] as const);
    expect(found).toEqual(new Map(wanted));
  });
});

test("each version is read with the content paths of its files, also those of earlier versions", async ({ folder }) => {
  const { folder: object } = await OcflObject.write(join(folder, "object"), THREE);
  const inventory = join(object, "inventory.json");
  for (const [index, files] of THREE.versions.entries()) {
    const version = `v${index + 1}`;
    const found: VersionFile[] = [];
    await readVersion(inventory, version, (batch) => void found.push(...batch));
    const wanted = Object.entries(files).map(([path, text]) => [path, sha512(text)]);
    expect(found.map(({ path, digest }) => [path, digest]).sort()).toEqual(wanted.sort());
    for (const { path, contentPath } of found) expect(contentPath, path).toMatch(/^v[123]\/content\//);
  }
});

test("a file is found by its logical path only if it is in the version", async () => {
  await withInventory(async (inventory) => {
    expect(await findContentPath(inventory, "v1", "data/b.txt")).toBe("v1/content/data/b.txt");
    expect(await findContentPath(inventory, "v1", "data/c.txt")).toBeUndefined();
    expect(await findContentPath(inventory, "v2", "data/b.txt")).toBeUndefined();
  });
});
