import { expect, test } from "vitest";
import { newPerson } from "../../metadata-form/entries/entries.ts";
import { newEntry } from "../../metadata-form/entries/lists.ts";
import { type Draft, newDraft } from "../draft.ts";
import { hintsOf } from "./hints.ts";

const blank = newDraft();
const missingIn = (draft: Partial<Draft>) =>
  hintsOf({ ...blank, ...draft })
    .filter(({ isPresent }) => !isPresent)
    .map(({ name, pointer }) => [name, pointer]);

test("an empty draft lacks all entries that make a dataset easier to find", () => {
  expect(missingIn({}).map(([name]) => name)).toEqual([
    "description",
    "licence",
    "keywords",
    "orcid",
    "ror",
    "funding",
    "related",
    "dates",
    "methods",
  ]);
});

test("the hint leads to the first author without an ORCID iD, and to the first institution without a ROR ID", () => {
  const ada = newPerson({ orcid: "0000-0002-1825-0097", affiliation: "Brown University", rorid: "05gq02987" });
  const bob = newPerson({ affiliations: [{ name: "Institute", rorid: "" }] });
  const missing = missingIn({ authors: [ada, bob] });
  expect(missing).toContainEqual(["orcid", "/metadata/authors/1/orcid"]);
  expect(missing).toContainEqual(["ror", "/metadata/authors/1/affiliations/0/rorid"]);
});

test("organisations need no ORCID iD", () => {
  const institute = newPerson({ nameType: "Organizational", name: "Institute", rorid: "05gq02987" });
  const names = missingIn({ authors: [newPerson({ orcid: "0000-0002-1825-0097" }), institute] }).map(([name]) => name);
  expect(names).not.toContain("orcid");
  expect(names).not.toContain("ror");
});

test("an entry without texts does not count", () => {
  const lists = {
    ...blank.lists,
    descriptions: [newEntry("descriptions")],
    dates: [newEntry("dates", { date: "2026" })],
  };
  const names = missingIn({ lists }).map(([name]) => name);
  expect(names).toContain("methods");
  expect(names).not.toContain("dates");
});
