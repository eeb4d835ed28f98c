import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { HEAD, sha512, folderTest as test, withFolder } from "../../tests/support/write-object.ts";
import { SortedLines } from "../io/sorted-lines.ts";
import { ContentByDigest } from "./content-by-digest.ts";
import { addEarlierVersions } from "./earlier-versions.ts";
import { type InventoryFile, openInventory, writeSidecar } from "./inventory-writer.ts";

async function write(folder: string, files: InventoryFile[]): Promise<string> {
  const inventory = await openInventory(join(folder, "scratch"));
  try {
    for (const file of files) await inventory.add(file);
    const target = join(folder, "inventory.json");
    const written = await inventory.write(target, HEAD);
    const text = await readFile(target, "utf8");
    expect(written).toEqual({ sha512: sha512(text), bytes: Buffer.byteLength(text) });
    return text;
  } finally {
    await inventory.discard();
  }
}

const file = (path: string, content: string): InventoryFile => ({
  path,
  contentPath: `v1/content/${path}`,
  sha512: sha512(content),
});

test("an inventory has the members that OCFL 1.1 requires", async ({ folder }) => {
  const text = await write(folder, [file("data/b", "same"), file("data/a", "same"), file("data/c", "other")]);
  expect(JSON.parse(text)).toEqual({
    id: HEAD.id,
    type: "https://ocfl.io/1.1/spec/#inventory",
    digestAlgorithm: "sha512",
    head: "v1",
    contentDirectory: "content",
    manifest: {
      [sha512("same")]: ["v1/content/data/a", "v1/content/data/b"],
      [sha512("other")]: ["v1/content/data/c"],
    },
    versions: {
      v1: {
        created: HEAD.created,
        message: HEAD.message,
        user: HEAD.user,
        state: { [sha512("same")]: ["data/a", "data/b"], [sha512("other")]: ["data/c"] },
      },
    },
  });
  expect(await readdir(folder)).toEqual(["inventory.json"]);
});

test("files may share one content path", async ({ folder }) => {
  const shared = { contentPath: "v1/content/data/a", sha512: sha512("x") };
  const text = await write(folder, [
    { ...shared, path: "data/b" },
    { ...shared, path: "data/a" },
  ]);
  const { manifest, versions } = JSON.parse(text);
  expect(manifest).toEqual({ [sha512("x")]: ["v1/content/data/a"] });
  expect(versions.v1.state).toEqual({ [sha512("x")]: ["data/a", "data/b"] });
});

test("an inventory without files is valid JSON", async ({ folder }) => {
  expect(JSON.parse(await write(folder, [])).manifest).toEqual({});
});

test("paths with any characters are kept, and the order of additions does not matter", async () => {
  const path = fc.oneof(fc.string({ unit: "binary", minLength: 1 }), fc.constantFrom("__proto__", "a\nb", "\t", '"\\'));
  const paths = fc.uniqueArray(fc.tuple(path, fc.nat(3)), { selector: ([name]) => name, minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(paths, async (named) => {
      await withFolder(async (folder) => {
        const files = named.map(([name, content]) => file(name, String(content)));
        const text = await write(folder, files);
        const { manifest, versions } = JSON.parse(text);
        const pairs = (block: Record<string, string[]>) =>
          Object.entries(block).flatMap(([digest, names]) => names.map((name) => `${digest} ${name}`));
        const wanted = (key: "path" | "contentPath") => files.map((one) => `${one.sha512} ${one[key]}`);
        expect(pairs(versions.v1.state).sort()).toEqual(wanted("path").sort());
        expect(pairs(manifest).sort()).toEqual(wanted("contentPath").sort());
        expect(await write(folder, files.toReversed())).toBe(text);
      });
    }),
    { numRuns: 10 },
  );
});

test("all files of several batches are written, each digest once", async ({ folder }) => {
  const files = Array.from({ length: 24_000 }, (_, n) =>
    file(`data/${"long-name-".repeat(15)}${n}`, String(n % 20_000)),
  );
  const { manifest, versions } = JSON.parse(await write(folder, files));
  expect(Object.keys(manifest)).toHaveLength(20_000);
  expect(Object.values<string[]>(versions.v1.state).flat()).toHaveLength(24_000);
});

test("any number of lines of any length is returned in order", async ({ folder }) => {
  const lines = await SortedLines.create(join(folder, "lines"));
  // Some are longer than the read buffer, and multi-byte characters cross its end.
  const wanted = Array.from({ length: 15_000 }, (_, n) => `${(n * 7_919) % 15_000}\u{1F600}${"ü".repeat(n % 997)}`);
  wanted.push("x".repeat(200_000));
  for (const line of wanted) await lines.add(line);
  const found: string[] = [];
  for await (const some of lines.sorted()) found.push(...some);
  expect(found).toEqual(wanted.sort());
  await lines.discard();
  expect(await readdir(folder)).toEqual([]);
});

test("a later version contains the previous ones, and names no content twice", async ({ folder }) => {
  const [one, two] = [file("data/a", "same"), file('data/line\nfeed "ä"', "other")];
  const states = [
    [one, two],
    [{ ...one, path: "data/b" }],
    [two, { ...file("data/c", "new"), contentPath: "v3/content/c" }],
  ];
  let before: string | undefined;
  for (const [index, files] of states.entries()) {
    const inventory = await openInventory(join(folder, "scratch"));
    const content = new ContentByDigest(join(folder, "scratch", "content"));
    if (before !== undefined) await addEarlierVersions(before, { writer: inventory, content });
    expect(content.find(sha512("other"))).toBe(before && two?.contentPath);
    expect(content.find(sha512("new"))).toBe(undefined);
    content.discard();
    for (const one of files) await inventory.add(one);
    before = join(folder, `inventory-${index + 1}.json`);
    await inventory.write(before, { ...HEAD, version: index + 1, message: `version "${index + 1}"` });
    await inventory.discard();
  }
  const last = JSON.parse(await readFile(join(folder, "inventory-3.json"), "utf8"));
  const first = JSON.parse(await readFile(join(folder, "inventory-1.json"), "utf8"));
  expect(last.head).toBe("v3");
  expect(last.versions.v1).toEqual(first.versions.v1);
  expect(last.versions.v2).toMatchObject({ message: 'version "2"', state: { [sha512("same")]: ["data/b"] } });
  expect(last.versions.v3.state).toEqual({ [sha512("other")]: [two?.path], [sha512("new")]: ["data/c"] });
  expect(last.manifest).toEqual({ ...first.manifest, [sha512("new")]: ["v3/content/c"] });
});

test("a digest that is not a SHA-512 is refused", async ({ folder }) => {
  const inventory = await openInventory(join(folder, "scratch"));
  expect(() => inventory.add({ path: "a", contentPath: "b", sha512: "12" })).toThrow("Not a SHA-512");
  await inventory.discard();
  await inventory.discard();
});

test("a sidecar consists of digest, space and name", async ({ folder }) => {
  await writeSidecar(join(folder, "inventory.json"), "abc");
  expect(await readFile(join(folder, "inventory.json.sha512"), "utf8")).toBe("abc inventory.json\n");
});
