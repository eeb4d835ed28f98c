import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ObjectReport, validateObject } from "../src/validate-object.ts";
import { validateStorageRoot } from "../src/validate-storage-root.ts";
import { digestOf, OcflObject, ONE, THREE } from "./support/object.ts";
import { writeRoot } from "./support/root-cases.ts";

/** Archives that are designed to make a validator crash, hang, read other files, or exhaust its memory. */
let folder: string;
let object: OcflObject;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-hostile-"));
  object = await OcflObject.write(join(folder, "object"), ONE);
});
// Node.js cannot remove folders whose paths are too long.
afterEach(() => execFileSync("rm", ["-rf", folder]));

const codesOf = ({ findings }: ObjectReport) => [...new Set(findings.map(({ code }) => code as string))].sort();
const check = () => validateObject(object.folder);

/** Creates a named pipe. Opening it waits for a writer. */
async function pipe(path: string): Promise<void> {
  await rm(join(object.folder, path), { force: true });
  execFileSync("mkfifo", [join(object.folder, path)]);
}

/** Creates folders so deep that only a process inside them can create more. */
function makeDeepFolders(top: string): void {
  const code = `for (let n = 0; n < 30; n += 1) { fs.mkdirSync("d".repeat(200)); process.chdir("d".repeat(200)); }`;
  execFileSync(process.execPath, ["-e", code], { cwd: top });
}

describe("a check never hangs", () => {
  test.each([
    ["a content file", "v1/content/a.txt", ["E090", "E092"]],
    ["a sidecar", "inventory.json.sha512", ["E058", "E090"]],
    ["a declaration", "0=ocfl_object_1.1", ["E003", "E090"]],
    ["an inventory", "inventory.json", ["E063", "E090"]],
    ["a version's inventory", "v1/inventory.json", ["E015", "E090", "W010"]],
  ])("when %s is a pipe", async (_, path, wanted) => {
    await pipe(path);
    expect(codesOf(await check())).toEqual(wanted);
  });

  test("when only an older inventory contains files", async () => {
    const three = await OcflObject.write(join(folder, "three"), THREE);
    await three.change((inventory) => Object.assign(inventory, { manifest: {} }));
    expect(codesOf(await validateObject(three.folder))).toEqual(["E023", "E050"]);
  });

  test("when there is a socket", async () => {
    const server = createServer().listen(join(object.folder, "v1/content/socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    const checked = await check();
    await new Promise((resolve) => server.close(resolve));
    expect(codesOf(checked)).toEqual(["E090"]);
  });
});

describe("a check reads nothing outside the object", () => {
  test("if a content folder is a link to endless devices", async () => {
    await rm(join(object.folder, "v1/content"), { recursive: true });
    await symlink("/dev", join(object.folder, "v1/content"));
    await object.rewrite((text) => text.replaceAll("a.txt", "zero"));
    const checked = await check();
    expect(codesOf(checked)).toEqual(["E090", "E092"]);
    expect(checked.files).toBe(0);
  });

  test("if a whole version is a link", async () => {
    await rm(join(object.folder, "v1"), { recursive: true });
    await symlink("/", join(object.folder, "v1"));
    expect(codesOf(await check())).toEqual(["E010", "E090", "E092"]);
  });

  test("if a version's name refers outside the object", async () => {
    await object.rewrite((text) => text.replaceAll('"v1"', '"../.."'));
    expect(codesOf(await check())).toContain("E104");
  });

  test("if a storage root contains many links", async () => {
    const root = join(folder, "root");
    await writeRoot(root, { objects: { "a/one": ONE } });
    await symlink("/", join(root, "a/everything"));
    await symlink(root, join(root, "a/itself"));
    const checked = await validateStorageRoot(root);
    expect(checked.objects).toBe(1);
    expect(codesOf(checked)).toEqual(["E090"]);
  });
});

describe("a check never crashes", () => {
  test("when folders are deeper than a path can be", async () => {
    makeDeepFolders(join(object.folder, "v1/content"));
    const { ok, findings } = await check();
    expect(ok).toBe(false);
    expect(findings.at(-1)).toMatchObject({ code: "E000", detail: "The folder cannot be read (ENAMETOOLONG)" });
    const root = join(folder, "root");
    await writeRoot(root, { objects: {} });
    makeDeepFolders(root);
    expect(codesOf(await validateStorageRoot(root))).toEqual(["E000"]);
  });

  test("when a string has no end", async () => {
    // The beginning of a string of 20 MiB.
    await writeFile(join(object.folder, "inventory.json"), '{"id": "');
    await writeFile(join(object.folder, "inventory.json"), "x".repeat(20 << 20), { flag: "a" });
    await rm(join(object.folder, "v1/inventory.json"));
    const { findings } = await check();
    expect(findings[0]?.detail).toBe(
      "The inventory exceeds the limits of the check: it contains a text of more than 16 MiB",
    );
  });

  test("when an inventory is a sparse file of a terabyte", async () => {
    await truncate(join(object.folder, "inventory.json"), 2 ** 40);
    await rm(join(object.folder, "v1/inventory.json"));
    expect(codesOf(await check())).toEqual(["E033"]);
  });

  test("when there are more versions than any real object has", { tags: "extended" }, async () => {
    const versions = Array.from({ length: 100_001 }, (_, n) => `"v${n + 1}": {}`).join(", ");
    await object.rewrite((text) => text.replace('"versions": {', `"versions": {${versions},`));
    expect(codesOf(await check())).toContain("E000");
  });

  test("when names of members are those of inherited properties", async () => {
    const members = ["__proto__", "constructor", "toString", "hasOwnProperty"].map((name) => `"${name}": {"x": ["y"]}`);
    await object.rewrite((text) => text.replace('"manifest": {', `${members.join(",\n")},\n "manifest": {`));
    expect(codesOf(await check())).toEqual(["E102"]);
  });

  test("when it finds more than it can list", async () => {
    const missing = Array.from({ length: 10_050 }, (_, n) => `"v1/content/${n}"`);
    await object.rewrite((text) => text.replace('"v1/content/a.txt"', `"v1/content/a.txt", ${missing.join()}`));
    const { findings } = await check();
    expect(findings).toHaveLength(10_001);
    expect(findings.at(-1)).toMatchObject({ code: "E000", detail: "50 more findings are not listed" });
  });

  test("when there are countless warnings, which hide no error", async () => {
    const plain = Array.from({ length: 6_000 }, (_, n) => {
      return `"v${n + 2}": {"created": "2026-01-01T10:00:00Z", "state": {}}`;
    });
    await object.rewrite((text) => text.replace(/("state": \{[^}]*\}\s*\})/, `$1, ${plain.join(", ")}`));
    const { findings } = await check();
    expect(findings.filter(({ code }) => code === "E010")).toHaveLength(6_000);
  });

  test.each([
    ["as long as an inventory", "x".repeat(5 << 20)],
    ["a million folders deep", "x/".repeat(1 << 20)],
  ])("when a path is %s", async (_, long) => {
    await object.rewrite((text) => text.replace('"v1/content/a.txt"', JSON.stringify(`v1/content/${long}x`)));
    const { findings } = await check();
    expect(findings.map(({ code }) => code).sort()).toEqual(["E000", "E023"]);
    expect(Math.max(...findings.map(({ detail }) => detail.length))).toBeLessThan(5_000);
  });

  test("when a path contains characters that no path can contain", async () => {
    await object.rewrite((text) => text.replace('"v1/content/a.txt"', '"v1/content/a\\u0000b"'));
    expect(codesOf(await check())).toEqual(["E023", "E092"]);
  });
});

test("each file is read once for any number of expected digests", async () => {
  const alpha = (algorithm: string) => ({ [digestOf("alpha", algorithm)]: ["v1/content/a.txt"] });
  const fixity = { md5: alpha("md5"), sha1: alpha("sha1"), sha256: alpha("sha256") };
  const many = await OcflObject.write(join(folder, "many"), { ...THREE, algorithms: ["sha256", "sha512"], fixity });
  const read: string[] = [];
  const content = {
    async *walk() {},
    async read(path: string, take: (piece: Uint8Array) => void) {
      read.push(path);
      const bytes = await readFile(join(many.folder, path));
      take(bytes);
      return bytes.length;
    },
  };
  const checked = await validateObject(many.folder, { content });
  expect(codesOf(checked)).toEqual(["W004"]);
  expect(read.sort()).toEqual(["v1/content/a.txt", "v1/content/b/c.txt", "v2/content/b/c.txt", "v2/content/d.txt"]);
});
