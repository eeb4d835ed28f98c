import fc from "fast-check";
import { expect, test } from "vitest";
import { nameInPackage } from "../../packages/rules/src/index.ts";

test.each([
  "data/a b",
  "data/a\\b",
  "data/100%",
  "data/%5C",
  "data/..x",
  "data/x..",
  "data/%keys/%2E%2E%",
  "data/C:\\x",
])("%s is kept", (path) => {
  expect(nameInPackage(path)).toBe(path);
});

test.each([
  ["data/..\\x", "data/..%5Cx"],
  ["data/a\\..\\b", "data/a%5C..%5Cb"],
  ["data/a\\..", "data/a%5C.."],
  ["data/..%5Cx", "data/..%255Cx"],
])("%s refers outside its folder and is escaped", (path, name) => {
  expect(nameInPackage(path)).toBe(name);
});

test("no two files have the same name, and none refers outside its folder", () => {
  const part = fc.constantFrom("..", "\\", "%", "5C", "5c", "25", "/", "x");
  const path = fc.array(part, { maxLength: 8 }).map((parts) => `data/${parts.join("")}`);
  const names = new Map<string, string>();
  fc.assert(
    fc.property(path, (one) => {
      fc.pre(!/\/\.\.(\/|$)/.test(one));
      const name = nameInPackage(one);
      expect(name.split(/[\\/]/)).not.toContain("..");
      expect(names.get(name) ?? one).toBe(one);
      names.set(name, one);
    }),
    { numRuns: 5_000 },
  );
});
