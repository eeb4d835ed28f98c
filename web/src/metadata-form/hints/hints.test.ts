import { expect, test } from "vitest";

import { type MetadataEntries, newEntries, newPerson } from "../entries/entries.ts";
import { newEntry } from "../entries/lists.ts";
import { hintsOf } from "./hints.ts";

const blank = newEntries();
const missingIn = (draft: Partial<MetadataEntries>) =>
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

test("values that are not valid do not count, and the hint leads to them", () => {
  const ada = newPerson({ orcid: "0000-0002-1825-0098", affiliation: "Brown University", rorid: "05gq02988" });
  const dates = [newEntry("dates", { dateType: "Collected", date: "2026-13" })];
  const wrong = ["/metadata/authors/0/orcid", "/metadata/authors/0/rorid", "/metadata/dates/0/date"];
  const found = hintsOf({ ...blank, authors: [ada], lists: { ...blank.lists, dates } }, wrong);
  expect(
    found.filter(({ isWrong }) => isWrong).map(({ name, isPresent, pointer }) => [name, isPresent, pointer]),
  ).toEqual([
    ["orcid", false, "/metadata/authors/0/orcid"],
    ["ror", false, "/metadata/authors/0/rorid"],
    ["dates", false, "/metadata/dates/0/date"],
  ]);
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
