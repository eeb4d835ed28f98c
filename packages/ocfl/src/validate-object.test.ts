import { appendFile, mkdir, open, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { sha512, folderTest as test, withFolder, writeObject } from "../tests/support/write-object.ts";
import { validateObject } from "./validate-object.ts";

const FILES = { "data/a.txt": "alpha", "data/deep/b.txt": "beta", "data/deep/copy.txt": "alpha", "metadata/x": "" };
const A = "v1/content/data/a.txt";

/** Changes a valid object and returns the codes that a check finds. */
async function damaged(change: (object: string) => Promise<unknown>): Promise<string[]> {
  return withFolder(async (folder) => {
    const object = join(folder, "object");
    await writeObject(object, FILES, join(folder, "scratch"));
    await change(object);
    const { ok, findings } = await validateObject(object);
    expect(ok).toBe(!findings.some(({ code }) => code.startsWith("E")));
    return findings.map(({ code, path }) => `${code} ${path}`).sort();
  });
}

async function flip(file: string): Promise<void> {
  const handle = await open(file, "r+");
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, 2);
  byte[0] = (byte[0] ?? 0) ^ 1;
  await handle.write(byte, 0, 1, 2);
  await handle.close();
}

test("a valid object has no findings, and every file was read", async ({ folder }) => {
  await writeObject(join(folder, "object"), FILES, join(folder, "scratch"));
  await mkdir(join(folder, "object", "logs"), { recursive: true });
  await writeFile(join(folder, "object", "logs", "anything"), "x");
  expect(await validateObject(join(folder, "object"))).toEqual({
    ok: true,
    findings: [],
    files: 4,
    bytes: 14,
    versions: 1,
  });
});

function spoil(object: string, bytes: Buffer): Promise<void> {
  return writeFile(join(object, "inventory.json"), bytes);
}

const changes: [string, (object: string) => Promise<unknown>, string[]][] = [
  ["a flipped bit", (o) => flip(join(o, A)), [`E092 ${A}`]],
  ["a longer file", (o) => appendFile(join(o, A), "x"), [`E092 ${A}`]],
  ["a missing file", (o) => rm(join(o, A)), [`E092 ${A}`]],
  ["a stray file", (o) => writeFile(join(o, "v1/content/new"), ""), ["E023 v1/content/new"]],
  ["an empty folder", (o) => mkdir(join(o, "v1/content/empty")), ["E024 v1/content/empty"]],
  ["a link", (o) => symlink("a.txt", join(o, "v1/content/data/link")), ["E090 v1/content/data/link"]],
  [
    "a file that became a link",
    async (o) => {
      await rename(join(o, A), join(o, "../a"));
      await symlink(join(o, "../a"), join(o, A));
    },
    [`E090 ${A}`, `E092 ${A}`],
  ],
  ["no declaration", (o) => rm(join(o, "0=ocfl_object_1.1")), ["E003 "]],
  ["an empty declaration", (o) => writeFile(join(o, "0=ocfl_object_1.1"), ""), ["E007 0=ocfl_object_1.1"]],
  ["a file beside the versions", (o) => writeFile(join(o, "notes"), ""), ["E001 notes"]],
  ["a folder beside the versions", (o) => mkdir(join(o, "notes")), ["E001 notes"]],
  ["an unknown version", (o) => mkdir(join(o, "v2")), ["E046 v2"]],
  ["a file in the version's folder", (o) => writeFile(join(o, "v1/x"), ""), ["E015 v1/x"]],
  ["no inventory", (o) => rm(join(o, "inventory.json")), ["E063 inventory.json"]],
  ["no sidecar", (o) => rm(join(o, "inventory.json.sha512")), ["E058 inventory.json.sha512"]],
  [
    "a sidecar with other text",
    (o) => writeFile(join(o, "inventory.json.sha512"), "hello"),
    ["E061 inventory.json.sha512"],
  ],
  [
    "a sidecar of another digest",
    (o) => writeFile(join(o, "v1/inventory.json.sha512"), `${sha512("x")} inventory.json\n`),
    ["E060 v1/inventory.json"],
  ],
  [
    "a version with a sidecar and without an inventory",
    (o) => rm(join(o, "v1/inventory.json")),
    ["E015 v1/inventory.json.sha512", "W010 v1"],
  ],
  ["an inventory that is not UTF-8", (o) => spoil(o, Buffer.from([0x22, 0xc3, 0x28, 0x22])), ["E033 inventory.json"]],
  ["an inventory that is a list", (o) => spoil(o, Buffer.from("[]")), ["E033 inventory.json"]],
  [
    "a version's inventory that differs",
    (o) => appendFile(join(o, "v1/inventory.json"), " "),
    ["E060 v1/inventory.json", "E064 v1/inventory.json"],
  ],
];

test.each(changes)("%s is found", async (_name, change, wanted) => {
  expect(await damaged(change)).toEqual(wanted);
});

test("a check can be aborted", async ({ folder }) => {
  await writeObject(join(folder, "object"), FILES, join(folder, "scratch"));
  await expect(validateObject(join(folder, "object"), { signal: AbortSignal.abort() })).rejects.toThrow();
});
