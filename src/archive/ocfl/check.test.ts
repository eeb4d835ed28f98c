import { appendFile, cp, mkdir, open, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkObject } from "./check.ts";
import { rewriteInventory, sha512, withFolder, writeObject } from "./testing.ts";

const FILES = { "data/a.txt": "alpha", "data/deep/b.txt": "beta", "data/deep/copy.txt": "alpha", "metadata/x": "" };
const A = "v1/content/data/a.txt";

/** A whole object, damaged by one deed; returns the codes that a check then finds. */
async function damaged(deed: (object: string) => Promise<unknown>): Promise<string[]> {
  return withFolder(async (folder) => {
    const object = join(folder, "object");
    await writeObject(object, FILES, join(folder, "scratch"));
    await deed(object);
    const { ok, findings } = await checkObject(object);
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

test("a whole object has no findings, and every file was read", async () => {
  await withFolder(async (folder) => {
    await writeObject(join(folder, "object"), FILES, join(folder, "scratch"));
    await mkdir(join(folder, "object", "logs"), { recursive: true });
    await writeFile(join(folder, "object", "logs", "anything"), "x");
    expect(await checkObject(join(folder, "object"))).toEqual({ ok: true, findings: [], files: 4, bytes: 14 });
  });
});

function spoil(object: string, bytes: Buffer): Promise<void> {
  return writeFile(join(object, "inventory.json"), bytes);
}

const deeds: [string, (object: string) => Promise<unknown>, string[]][] = [
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
  ["a version nobody knows", (o) => mkdir(join(o, "v2")), ["E046 v2"]],
  ["a file in the version's folder", (o) => writeFile(join(o, "v1/x"), ""), ["E015 v1/x"]],
  ["no inventory", (o) => rm(join(o, "inventory.json")), ["E063 inventory.json"]],
  ["no sidecar", (o) => rm(join(o, "inventory.json.sha512")), ["E058 inventory.json.sha512"]],
  ["a sidecar of words", (o) => writeFile(join(o, "inventory.json.sha512"), "hello"), ["E061 inventory.json.sha512"]],
  [
    "a sidecar of another digest",
    (o) => writeFile(join(o, "v1/inventory.json.sha512"), `${sha512("x")} inventory.json\n`),
    ["E060 v1/inventory.json"],
  ],
  ["no inventory in the version", (o) => rm(join(o, "v1/inventory.json")), ["W010 v1"]],
  ["an inventory that is not UTF-8", (o) => spoil(o, Buffer.from([0x22, 0xc3, 0x28, 0x22])), ["E034 inventory.json"]],
  ["an inventory that is a list", (o) => spoil(o, Buffer.from("[]")), ["E034 inventory.json"]],
  [
    "a version's inventory that is another",
    (o) => appendFile(join(o, "v1/inventory.json"), " "),
    ["E064 v1/inventory.json"],
  ],
];

test.each(deeds)("%s is found", async (_name, deed, wanted) => {
  expect(await damaged(deed)).toEqual(wanted);
});

const changes: [string, (text: string) => string, string][] = [
  ["cut short", (text) => text.slice(0, -4), "E034"],
  ["no id", (text) => text.replace('"id"', '"ID"'), "E036"],
  ["another type", (text) => text.replace("1.1/spec", "9.9/spec"), "E038"],
  ["md5", (text) => text.replace('"sha512"', '"md5"'), "E025"],
  ["a head that is not there", (text) => text.replace('"head": "v1"', '"head": "v2"'), "E040"],
  ["no manifest", (text) => text.replace('"manifest"', '"manifests"'), "E041"],
  ["a time without zone", (text) => text.replace("10:00:00Z", "10:00:00"), "E049"],
  ["a nameless user", (text) => text.replace('"name":"Accession",', ""), "E054"],
  ["no message", (text) => text.replace('"message": "Taken in",', ""), "W007"],
  ["a path out of the version", (text) => text.replace('"data/a.txt"', '"../a.txt"'), "E052"],
  ["an absolute path", (text) => text.replace('"data/a.txt"', '"/a.txt"'), "E053"],
  ["a path twice", (text) => text.replace('"data/a.txt"', '"data/deep/b.txt"'), "E095"],
  ["a file that is a folder", (text) => text.replace('"data/a.txt"', '"data/deep"'), "E095"],
  ["a content path out of the object", (text) => text.replace('"v1/content/data/a.txt"', '"v1/../../a"'), "E099"],
  ["a content path twice", (text) => text.replace('data/a.txt", "v1', 'data/deep/b.txt", "v1'), "E101"],
  ["a state's digest unknown", (text) => replaceLast(text, sha512("beta"), sha512("gamma")), "E050"],
  ["a manifest's digest unused", (text) => text.replace(sha512("beta"), sha512("gamma")), "E107"],
  [
    "the state's digest in another case",
    (text) => replaceLast(text, sha512("beta"), sha512("beta").toUpperCase()),
    "E050",
  ],
  ["a digest twice", (text) => text.replace(sha512("beta"), sha512("alpha")), "E096"],
  ["a member twice", (text) => text.replace('"head"', '"id": "urn:y",\n "head"'), "E033"],
  ["an unknown member", (text) => text.replace('"head"', '"color": "red",\n "head"'), "E102"],
  ["a state that is a list", (text) => text.replace(/"state": \{[^}]*\}/, '"state": []'), "E050"],
];

function replaceLast(text: string, from: string, to: string): string {
  const at = text.lastIndexOf(from);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

test.each(changes)("an inventory with %s is found", async (_name, change, code) => {
  const codes = (await damaged((object) => rewriteInventory(object, change))).map((found) => found.slice(0, 4));
  expect(codes).toContain(code);
});

test("an older version is held against the newest", async () => {
  await withFolder(async (folder) => {
    const object = join(folder, "object");
    await writeObject(object, FILES, join(folder, "scratch"));
    await cp(join(object, "v1"), join(object, "v2"), { recursive: true });
    await rm(join(object, "v2", "content"), { recursive: true });
    const first = JSON.parse(await readFile(join(object, "inventory.json"), "utf8"));
    const second = structuredClone(first);
    second.head = "v2";
    second.versions.v2 = structuredClone(second.versions.v1);
    const put = async (place: string, inventory: unknown) => {
      const text = JSON.stringify(inventory);
      await writeFile(join(object, place, "inventory.json"), text);
      await writeFile(join(object, place, "inventory.json.sha512"), `${sha512(text)} inventory.json\n`);
    };
    await put("", second);
    await put("v2", second);
    expect(await checkObject(object)).toMatchObject({ ok: true, findings: [] });

    second.versions.v1.state[sha512("beta")] = ["data/renamed.txt"];
    await put("", second);
    await put("v2", second);
    const { findings } = await checkObject(object);
    expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual(["E066 v1/inventory.json"]);
  });
});

test("a check can be called off", async () => {
  await withFolder(async (folder) => {
    await writeObject(join(folder, "object"), FILES, join(folder, "scratch"));
    await expect(checkObject(join(folder, "object"), { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
