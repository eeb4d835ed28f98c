import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeKey, unescapeKey } from "../../../packages/rules/src/index.ts";
import { listed } from "../../../tests/support/listed.ts";
import { isPlainKey, keyOf, markerFor, markerRun, pathOf } from "./path.ts";

/** The possible folders of a key: each prefix that ends before a slash. */
function ancestors(key: string): string[] {
  const parts = key.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The paths of a whole dataset, as assigned when a listing is frozen. */
function assign(keys: Iterable<string>): { marker: string; paths: Map<string, string> } {
  const all = new Set(keys);
  const folders = new Set([...all].flatMap(ancestors));
  const marker = markerFor(all);
  return { marker, paths: new Map([...all].map((key) => [key, pathOf(key, { isFolder: folders.has(key), marker })])) };
}

describe("a dataset’s paths", () => {
  test.each([
    { keys: ["a.txt"], paths: ["data/a.txt"] },
    { keys: ["a", "a/b"], paths: ["data/%keys/a%", "data/a/b"] },
    { keys: ["a", "a/", "a/b"], paths: ["data/%keys/a%", "data/%keys/a/%", "data/a/b"] },
    { keys: ["dir/"], paths: ["data/%keys/dir/%"] },
    { keys: ["../../etc/x"], paths: ["data/%keys/%2E%2E/%2E%2E/etc/x%"] },
    { keys: ["..", ".", "./c"], paths: ["data/%keys/%2E%2E%", "data/%keys/%2E%", "data/%keys/%2E/c%"] },
    { keys: ["a/../b"], paths: ["data/%keys/a/%2E%2E/b%"] },
    {
      keys: ["/lead", "//two", "a//b"],
      paths: ["data/%keys/%2F/lead%", "data/%keys/%2F/%2F/two%", "data/%keys/a/%2F/b%"],
    },
    { keys: ["a%2Fb", "a//%2F"], paths: ["data/a%2Fb", "data/%keys/a/%2F/%252F%"] },
    { keys: ["x\0y"], paths: ["data/%keys/x%00y%"] },
    { keys: ["%keys", "b/"], paths: ["data/%keys", "data/%keys%/b/%"] },
    { keys: ["%keys%%/x", "%keys/y", "b/"], paths: ["data/%keys%%/x", "data/%keys/y", "data/%keys%%%/b/%"] },
    {
      keys: ["inventory.json", " a ", "CR\r\nLF", "A", "a"],
      paths: ["data/inventory.json", "data/ a ", "data/CR\r\nLF", "data/A", "data/a"],
    },
  ])("$keys have the paths $paths", ({ keys, paths }) => {
    expect([...assign(keys).paths.values()]).toEqual(paths);
  });

  const segment = fc.constantFrom(
    ...listed`. | .. | ... | % | %% | %25 | %00 | %2F | %2E | a | A | a% | %keys | %keys% | %keys%% | %keysx`,
    ...["", "\0", "😀", "\r\n", " ", "data", "__proto__"],
  );
  const key = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
  const keySet = fc.uniqueArray(key, { maxLength: 30 });
  const thorough = { numRuns: 3_000 };

  test("are unique, reversible and valid in OCFL, and none is a folder of another", () => {
    fc.assert(
      fc.property(keySet, (keys) => {
        const { marker, paths } = assign(keys);
        const values = [...paths.values()];
        const distinct = new Set(values);
        expect(distinct.size).toBe(keys.length);
        for (const [from, path] of paths) {
          expect(keyOf(path, marker)).toBe(from);
          expect(path.includes("\0")).toBe(false);
          expect(path.split("/").some((part) => part === "" || part === "." || part === "..")).toBe(false);
          for (const folder of ancestors(path)) expect(distinct.has(folder)).toBe(false);
        }
      }),
      thorough,
    );
  });

  test("are the keys themselves whenever OCFL allows it", () => {
    fc.assert(
      fc.property(keySet, (keys) => {
        for (const [from, path] of assign(keys).paths) {
          const lawful = !/(^|\/)(\.{0,2})(\/|$)|\0/.test(from) && !keys.some((other) => other.startsWith(`${from}/`));
          expect(path === `data/${from}`).toBe(lawful);
        }
      }),
      thorough,
    );
  });

  test("escaping is reversible for any text, and only escaped texts are accepted back", () => {
    fc.assert(fc.property(fc.oneof(key, fc.string({ unit: "binary" })), (any) => unescapeKey(escapeKey(any)) === any));
    fc.assert(
      fc.property(key, (text) => {
        let back: string;
        try {
          back = unescapeKey(text);
        } catch (error) {
          return error instanceof RangeError;
        }
        return escapeKey(back) === text;
      }),
      thorough,
    );
  });
});

test.each(["", "a", "a/b", "%41%", "a%2Fb%", "./a%", "a//b%", "\0%", "a%2e%"])("%j is not an escaped key", (text) => {
  expect(() => unescapeKey(text)).toThrow(RangeError);
});

test.each(["x", "metadata/a", "data/", "data/a//b", "data/../x", "data/%keys/plain"])(
  "%j is not the path of a key",
  (path) => {
    expect(() => keyOf(path, "%keys")).toThrow(RangeError);
  },
);

test.each([
  ["%keys", 0],
  ["%keys/a", 0],
  ["%keys%%/a/b", 2],
  ["%keysa", undefined],
  ["%keys%a/b", undefined],
  ["a/%keys", undefined],
  ["", undefined],
])("the marker’s run in %j is %j", (key, run) => {
  expect(markerRun(key)).toBe(run);
});

test("plain keys", () => {
  expect(["a", "a/b", "...", " ", ".hidden", "%keys/x"].filter((key) => !isPlainKey(key))).toEqual([]);
  expect(["", "/", "a/", "/a", ".", "a/..", "a//b", "\0"].filter(isPlainKey)).toEqual([]);
});
