import { expect, test } from "vitest";
import { dateTypes, relationTypes } from "../../../../packages/rules/src/index.ts";
import { rows } from "../../../../tests/support/listed.ts";
import { languageByOtherName, newestLicence, similarTerm } from "./suggestions.ts";

test.each([
  ["DescribedBy", "IsDescribedBy"],
  ["described-by", "IsDescribedBy"],
  ["isDerivedFrm", "IsDerivedFrom"],
  ["supplementTo", "IsSupplementTo"],
  ["reference", "References"],
  ["By", undefined],
  ["is like", undefined],
  ["x".repeat(1_000), undefined],
])("%j probably means the relation %s", (text, term) => {
  expect(similarTerm(relationTypes, text)).toBe(term);
});

test("a text like no term has no suggestion", () => {
  expect(similarTerm(dateTypes, "Colected")).toBe("Collected");
  expect(similarTerm(dateTypes, "Harvested")).toBeUndefined();
});

test.each([
  ...rows`
    Deutsch → de | Englisch → en | français → fr | Französisch → fr | 日本語 → ja
  `,
  ["deutsch ", "de"],
  ["klingonese", undefined],
  ["constructor", undefined],
  ["", undefined],
])("%j is a name of the language %s", (text, code) => {
  expect(languageByOtherName(text)).toBe(code);
});

test.each([
  ...rows`
    CC BY → CC-BY-4.0 | cc-by → CC-BY-4.0 | CC BY-NC-SA → CC-BY-NC-SA-4.0 | Apache License → Apache-2.0
    GPL → GPL-3.0-only | MPL → MPL-2.0
  `,
  ["public domain", undefined],
  ["", undefined],
])("%j without a version is most likely %s", (text, id) => {
  expect(newestLicence(text)).toBe(id);
});
