import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { folderOfTest } from "../../../packages/ocfl/tests/support/write-object.ts";
import { objectFolder } from "../layout.ts";
import { FolderStore } from "./store.ts";

let archive: string;
let store: FolderStore;

beforeEach(async () => {
  archive = join(await folderOfTest(), "archive");
  store = await FolderStore.open(archive, { share: 0, bytes: 0 });
});

const unwritable = expect.objectContaining({ code: "archive_unwritable" });
const identity = () => join(archive, "archive.json");

test("an archive keeps its id, and is the same when it is there again", async () => {
  await store.proveSame();
  expect((await FolderStore.open(archive, { share: 0, bytes: 0 })).id).toBe(store.id);
  await rename(archive, `${archive}.aside`);
  await expect(store.proveSame()).rejects.toEqual(unwritable);
  await mkdir(archive);
  await expect(store.proveSame()).rejects.toEqual(unwritable);
  await rm(archive, { recursive: true });
  await rename(`${archive}.aside`, archive);
  await store.proveSame();
});

test.each([
  ["is missing", () => rm(identity())],
  ["is not JSON", () => writeFile(identity(), "{")],
  ["has no id", () => writeFile(identity(), "{}")],
  ["has another id", () => writeFile(identity(), JSON.stringify({ id: "0b0fbc4e-4e49-4a3b-9d4f-5b1c1b6f3a52" }))],
])("an archive whose file archive.json %s is another one", async (_, damage) => {
  await damage();
  await expect(store.proveSame()).rejects.toEqual(unwritable);
});

test("an archive without its OCFL declaration is another one, and nothing is written to it", async () => {
  await rm(join(archive, "ocfl/0=ocfl_1.1"));
  await expect(store.proveSame()).rejects.toEqual(unwritable);
  const id = "6fd0cf0d-9a0c-4a3c-8f1e-9f6f4b3f7f10";
  await expect(store.staging(id, id, 1).begin(1)).rejects.toEqual(unwritable);
  await expect(store.discard(id)).rejects.toEqual(unwritable);
  await expect(store.staged()).rejects.toEqual(unwritable);
});

test("a publication record that is written while the archive disappears is in it, or is not counted as stored", async () => {
  const id = "6fd0cf0d-9a0c-4a3c-8f1e-9f6f4b3f7f10";
  const object = `ocfl/${objectFolder(`urn:uuid:${id}`)}`;
  await mkdir(join(archive, object, "logs"), { recursive: true });
  await writeFile(join(archive, object, "inventory.json"), "{}");
  const aside = `${archive}.aside`;
  const ends = new Set<string>();
  for (let turns = 0; turns < 60; turns++) {
    const name = `v1-${turns}.jws`;
    const stored = store.addRecord(id, "publication", name, "a record").then(
      () => "stored",
      ({ code }: { code: string }) => code,
    );
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await rename(archive, aside);
    await mkdir(archive);
    const end = await stored;
    ends.add(end);
    if (end === "stored") expect(existsSync(join(aside, object, "logs/publication", name)), name).toBe(true);
    else expect(end).toBe("archive_unwritable");
    await rm(archive, { recursive: true });
    await rename(aside, archive);
  }
  expect(ends).toContain("archive_unwritable");
});
