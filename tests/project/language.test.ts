import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "../../src/domain/problems.ts";
import { deprecatedEnglish, deprecatedGerman, deprecatedIn } from "../support/deprecated-terms.ts";

const root = join(import.meta.dirname, "../..");
const words = join(root, "web/src/words");

/** Literals of details, event messages and log messages in the source code. */
const MESSAGES = [
  /new (?:Problem|Error|RangeError)\(\s*(?:"[a-z_]+",\s*)?(["`])(?<text>[^"`]{8,}?)\1/g,
  /\b(?:message|detail): (["`])(?<text>[^"`]{8,}?)\1/g,
  /\blog\.(?:debug|info|warn|error)\([^"`]*?(["`])(?<text>[^"`]{8,}?)\1/g,
];

/** Every text of a file of page words, with the path of its key. */
function textsOf(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

test.each([
  ["en", deprecatedEnglish],
  ["de", deprecatedGerman],
] as const)("the page words (%s) contain no deprecated term", (language, terms) => {
  const files = [join(words, language), join(root, "packages/rules/src/words")]
    .flatMap((folder) => globSync(join(folder, "*.json")))
    .filter((file) => !file.includes("/rules/") || file.endsWith(`${language}.json`));
  expect(files.length).toBeGreaterThan(5);
  const texts = files.flatMap((file) =>
    textsOf(JSON.parse(readFileSync(file, "utf8")), `${language}/${basename(file, ".json")}`),
  );
  expect(texts.flatMap(([path, text]) => deprecatedIn(text, terms).map((found) => `${path}: ${found}`))).toEqual([]);
});

test("the error catalogue contains no deprecated term", () => {
  const found = Object.entries(catalogue).flatMap(([code, { title, action }]) =>
    deprecatedIn(`${title}. ${action}`, deprecatedEnglish).map((term) => `${code}: ${term}`),
  );
  expect(found).toEqual([]);
});

test("the page has its own English texts where those of the catalogue are in the terms of the API", () => {
  const own = Object.keys(JSON.parse(readFileSync(join(words, "en/problems.json"), "utf8")));
  const terms = /\b(members?|headers?|body|multipart|request|the report|Idempotency-Key|query parameter|s3Access)\b/;
  const found = Object.entries(catalogue).flatMap(([code, { title, action }]) =>
    terms.test(`${title}. ${action}`) ? [code] : [],
  );
  expect(found.filter((code) => !own.includes(code))).toEqual([]);
});

test("details, event messages and log messages contain no deprecated term", () => {
  const files = globSync("src/**/*.ts", { cwd: root, exclude: (path) => path.endsWith(".test.ts") });
  const texts = files.flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return MESSAGES.flatMap((pattern) =>
      [...source.matchAll(pattern)].map((match) => [file, match.groups?.text ?? ""]),
    );
  });
  expect(texts.length).toBeGreaterThan(200);
  const found = texts.flatMap(([file = "", text = ""]) =>
    deprecatedIn(text.replace(/\$\{[^}]*\}/g, "…"), deprecatedEnglish).map((term) => `${file}: ${term} (${text})`),
  );
  expect(found).toEqual([]);
});

test("a deprecated term is found in running text", () => {
  expect(deprecatedIn("Ask whoever runs the storage.", deprecatedEnglish)).toHaveLength(2);
  expect(deprecatedIn("Die Einreichung geht dann von selbst weiter.", deprecatedGerman)).toHaveLength(2);
  expect(deprecatedIn("The submission continues automatically.", deprecatedEnglish)).toEqual([]);
});
