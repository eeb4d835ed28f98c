import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as terms from "../../../../packages/rules/src/index.ts";
import { contributorTypes } from "../../../../packages/rules/src/index.ts";

/** The values that an include of DataCite's schema lists. */
function enumerated(type: string): string[] {
  const folder = join(import.meta.dirname, "../../formats/datacite/kernel-4.7/include");
  const schema = readFileSync(join(folder, `datacite-${type}-v4.xsd`), "utf8");
  return [...schema.matchAll(/<xs:enumeration value="([^"]+)"/g)].map(([, value = ""]) => value);
}

test.each([
  ["titleType", terms.titleTypes],
  ["descriptionType", terms.descriptionTypes],
  ["relationType", terms.relationTypes],
  ["relatedIdentifierType", terms.identifierTypes],
  ["resourceType", terms.resourceTypes],
  ["funderIdentifierType", terms.funderIdentifierTypes],
  ["nameType", terms.nameTypes],
  ["contributorType", contributorTypes],
])("%s has exactly the terms of DataCite 4.7", (type, list) => {
  expect([...list].sort()).toEqual(enumerated(type).sort());
});

test("dateType has the terms of DataCite 4.7, without those that the service sets", () => {
  const own = ["Available", "Issued", "Submitted", "Updated", "Withdrawn"];
  expect([...terms.dateTypes, ...own].sort()).toEqual(enumerated("dateType").sort());
});

test("a term is known in any case and spacing", () => {
  expect(terms.knownTerm(terms.titleTypes, "translated title")).toBe("TranslatedTitle");
  expect(terms.knownTerm(terms.titleTypes, "Untertitel")).toBeUndefined();
});
