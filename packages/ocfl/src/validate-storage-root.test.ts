import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { HEAD, LAYOUT, objectFolder, withFolder, writeObject } from "../tests/support/write-object.ts";
import { createStorageRoot } from "./layouts/storage-root.ts";
import { validateStorageRoot } from "./validate-storage-root.ts";

const OBJECT = objectFolder(HEAD.id);

async function codesAfter(change: (root: string) => Promise<unknown>): Promise<string[]> {
  return withFolder(async (folder) => {
    const root = join(folder, "ocfl");
    await createStorageRoot(root, LAYOUT);
    await writeObject(join(root, OBJECT), { "data/a": "a" }, join(folder, "scratch"));
    await change(root);
    // If two objects have the same id, the second one found is reported. The order depends on the file system.
    return (await validateStorageRoot(root)).findings.map(
      ({ code, path }) => `${code} ${code === "E037" ? "either" : path}`,
    );
  });
}

test("a valid storage root has no findings", async () => {
  expect(await codesAfter(async () => undefined)).toEqual([]);
});

const top = dirname(OBJECT);
const changes: [string, (root: string) => Promise<unknown>, string[]][] = [
  ["an empty folder", (root) => mkdir(join(root, "abc")), ["E073 abc"]],
  ["a file in the hierarchy", (root) => writeFile(join(root, top, "x"), ""), [`E072 ${top}/x`]],
  ["a link", (root) => symlink(".", join(root, top, "x")), [`E090 ${top}/x`]],
  ["no declaration", (root) => rm(join(root, "0=ocfl_1.1")), ["E069 "]],
  ["a declaration with other content", (root) => writeFile(join(root, "0=ocfl_1.1"), ""), ["E080 0=ocfl_1.1"]],
  [
    "an object in another folder",
    (root) => cp(join(root, OBJECT), join(root, "elsewhere"), { recursive: true }),
    ["E037 either", "E083 elsewhere", "W015 "],
  ],
  ["an object without declaration", (root) => rm(join(root, OBJECT, "0=ocfl_object_1.1")), [`E003 ${OBJECT}`]],
  [
    "a damaged file of an object",
    (root) => writeFile(join(root, OBJECT, "v1/content/data/a"), "b"),
    [`E092 ${OBJECT}/v1/content/data/a`],
  ],
];

test.each(changes)("%s is found", async (_name, change, wanted) => {
  expect((await codesAfter(change)).map((found) => found.replace(/\/$/, "")).sort()).toEqual(wanted);
});
