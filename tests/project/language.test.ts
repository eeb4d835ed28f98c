import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { deprecatedEnglish, deprecatedGerman, deprecatedIn } from "../support/deprecated-terms.ts";

const words = join(import.meta.dirname, "../../web/src/words");

/** Every text of a file of page words, with the path of its key. */
function textsOf(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

test.each([
  ["en", deprecatedEnglish],
  ["de", deprecatedGerman],
] as const)("the page words (%s) contain no deprecated term", (language, terms) => {
  const files = globSync(join(words, language, "*.json"));
  expect(files.length).toBeGreaterThan(5);
  const texts = files.flatMap((file) =>
    textsOf(JSON.parse(readFileSync(file, "utf8")), `${language}/${basename(file, ".json")}`),
  );
  expect(texts.flatMap(([path, text]) => deprecatedIn(text, terms).map((found) => `${path}: ${found}`))).toEqual([]);
});

test("a deprecated term is found in running text", () => {
  expect(deprecatedIn("Ask whoever runs the storage.", deprecatedEnglish)).toHaveLength(2);
  expect(deprecatedIn("Die Einreichung geht dann von selbst weiter.", deprecatedGerman)).toHaveLength(2);
  expect(deprecatedIn("The submission continues automatically.", deprecatedEnglish)).toEqual([]);
});
