import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relationTypes, resourceTypes, roles } from "../../packages/rules/src/index.ts";
import { ICON } from "../../src/public/site/icon.ts";
import { WORDS } from "../../src/public/site/words.ts";

const root = join(import.meta.dirname, "../..");

test.each(["en", "de"] as const)("all terms of DataCite, and only these, have a name (%s)", (language) => {
  const { relations, resourceTypes: kinds, roles: names } = WORDS[language];
  expect(Object.keys(relations).sort()).toEqual([...relationTypes].sort());
  expect(Object.keys(kinds).sort()).toEqual([...resourceTypes].sort());
  expect(Object.keys(names).sort()).toEqual([...roles].sort());
});

test("the icon is that of the application", () => {
  expect(ICON).toBe(readFileSync(join(root, "web/src/theme/icon.svg"), "utf8").trim());
});

test("every text has a German form that differs, except names", () => {
  const same: string[] = [];
  const compare = (one: unknown, other: unknown, path: string): void => {
    if (typeof one === "string") {
      if (one === other) same.push(path);
    } else if (typeof one === "object" && one !== null) {
      for (const [name, value] of Object.entries(one)) {
        compare(value, (other as Record<string, unknown>)[name], `${path}.${name}`);
      }
    }
  };
  compare(WORDS.en, WORDS.de, "");
  expect(
    same.filter((path) => !/\.(resourceTypes|feed|api|landing\.(digest|versionColumn)|catalogue\.kinds\.)/.test(path)),
  ).toEqual([]);
});
