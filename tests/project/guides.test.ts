import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WORDS } from "../../src/public/site/words.ts";

const root = join(import.meta.dirname, "../..");

/** All texts of the page in English. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Object.values(value as object).flatMap(textsOf);
}

test("the guide for authors names labels exactly as the page does", () => {
  const words = globSync("web/src/words/en/*.json", { cwd: root });
  const own = words.flatMap((file) => textsOf(JSON.parse(readFileSync(join(root, file), "utf8"))));
  const labels = new Set([...own, ...textsOf(WORDS.en)]);
  const guide = readFileSync(join(root, "docs/how-to/authors.md"), "utf8").replaceAll(/\s*\n\s*/g, " ");
  const named = [...guide.matchAll(/“([^”]+)”/g)].map(([, label = ""]) => label);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((label) => !labels.has(label))).toEqual([]);
});
