import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, test } from "vitest";
import { openInventory, writeObjectDeclaration, writeSidecar } from "../../src/inventory/inventory-writer.ts";
import { storageLayout } from "../../src/layouts/storage-layouts.ts";

/** For tests: runs the work with a temporary folder, which is removed afterwards, also after an error. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "accession-test-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a temporary folder, which is removed when the calling test has finished. */
export async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "accession-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A test with a temporary folder. */
export const folderTest = test.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern here.
  folder: async ({}, use) => withFolder(use),
});

export function sha512(content: string | Uint8Array): string {
  return createHash("sha512").update(content).digest("hex");
}

export const HEAD = {
  id: "urn:uuid:7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11",
  created: "2026-11-20T10:00:00Z",
  message: "Taken in",
  user: { name: "Accession", address: "https://archive.example.org" },
};

/** For tests: writes a valid OCFL object of one version, with the functions that the archive uses. */
export async function writeObject(
  folder: string,
  files: Record<string, string>,
  scratch: string,
  head = HEAD,
): Promise<{ sha512: string; bytes: number }> {
  await mkdir(join(folder, "v1"), { recursive: true });
  const inventory = await openInventory(scratch);
  try {
    for (const [path, content] of Object.entries(files)) {
      const contentPath = `v1/content/${path}`;
      await mkdir(dirname(join(folder, contentPath)), { recursive: true });
      await writeFile(join(folder, contentPath), content);
      await inventory.add({ path, contentPath, sha512: sha512(content) });
    }
    const written = await inventory.write(join(folder, "inventory.json"), head);
    await writeSidecar(join(folder, "inventory.json"), written.sha512);
    for (const name of ["inventory.json", "inventory.json.sha512"]) {
      await copyFile(join(folder, name), join(folder, "v1", name));
    }
    await writeObjectDeclaration(folder);
    return written;
  } finally {
    await inventory.discard();
  }
}

/** The layout of storage roots in tests. */
export const LAYOUT = storageLayout("0004-hashed-n-tuple-storage-layout", {
  digestAlgorithm: "sha512",
  tupleSize: 3,
  numberOfTuples: 3,
  shortObjectRoot: false,
});

/** The folder of an object in {@link LAYOUT}. */
export function objectFolder(id: string): string {
  return LAYOUT.objectFolder(id) ?? "";
}
