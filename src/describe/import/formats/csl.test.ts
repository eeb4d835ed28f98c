import { describe, expect, test } from "vitest";
import { organisation, person } from "../../../../tests/support/metadata-files/read.ts";
import { readMetadataFile } from "../read-metadata-file.ts";

const read = (value: unknown) => readMetadataFile("csl", Buffer.from(JSON.stringify(value)));

test("an item of a registration agency", () => {
  const { values, remarks } = read({
    type: "article-journal",
    id: "https://doi.org/10.1234/pots",
    title: "Cracks in <i>pots</i>",
    abstract: "<p>Photographs of cracks.</p>",
    author: [
      {
        family: "Carberry",
        given: "Josiah",
        ORCID: "https://orcid.org/0000-0002-1825-0097",
        affiliation: [{ name: "Brown University" }],
      },
      { family: "Poe", given: "B. C.", "non-dropping-particle": "van", suffix: "Jr." },
      { literal: "Pot Consortium" },
    ],
    editor: [{ family: "Roe", given: "A." }],
    keyword: "pots, cracks",
    language: "en",
    version: "2",
    license: "https://creativecommons.org/licenses/by/4.0/",
    DOI: "10.1234/POTS",
    URL: "https://example.org/pots",
    PMID: "123456",
    issued: { "date-parts": [[2026, 3]] },
  });
  expect(values).toEqual({
    title: "Cracks in pots",
    description: "Photographs of cracks.",
    resourceTypeGeneral: "JournalArticle",
    authors: [
      person("Josiah", "Carberry", { orcid: "0000-0002-1825-0097", affiliation: "Brown University" }),
      person("B. C.", "van Poe Jr."),
      organisation("Pot Consortium"),
      person("A.", "Roe", { role: "Editor" }),
    ],
    subjects: ["pots", "cracks"],
    language: "en",
    versionLabel: "2",
    license: "CC-BY-4.0",
    alternateIdentifiers: [
      { alternateIdentifier: "10.1234/pots", alternateIdentifierType: "DOI" },
      { alternateIdentifier: "123456", alternateIdentifierType: "PMID" },
    ],
  });
  expect(remarks).toEqual([]);
});

test("the first item of a list, with remarks about the others and about values without a place", () => {
  const { values, remarks } = read([
    {
      type: "report",
      title: "Pots",
      genre: "Field report",
      publisher: "A press",
      "container-title": "Annals",
      volume: 3,
    },
    { type: "book", title: "Another" },
  ]);
  expect(values).toEqual({ title: "Pots", resourceTypeGeneral: "Report", resourceType: "Field report" });
  expect(remarks).toEqual([
    { place: "", message: "The file describes 2 works. Only the first one is used." },
    { place: "/0/publisher", message: expect.stringContaining("this service publishes the dataset") },
    { place: "/0/container-title", message: expect.stringContaining("no place") },
    { place: "/0/volume", message: expect.stringContaining("no place") },
  ]);
});

describe("names", () => {
  const authors = (author: unknown) => read({ title: "Pots", author }).values.authors;

  test("a single text that could be that of a person causes a remark, and no person is invented", () => {
    const { values, remarks } = read({ title: "Pots", author: [{ literal: "Carberry, Josiah" }] });
    expect(values.authors).toEqual([organisation("Carberry, Josiah")]);
    expect(remarks).toEqual([{ place: "/author/0", message: expect.stringContaining("could be that of a person") }]);
  });

  test("a family name alone is that of a person", () => {
    expect(authors([{ family: "Plato" }])).toEqual([{ role: "Creator", nameType: "Personal", lastName: "Plato" }]);
  });

  test("dropping particles follow the given name", () => {
    expect(authors([{ family: "Humboldt", given: "Alexander", "dropping-particle": "von" }])).toEqual([
      person("Alexander von", "Humboldt"),
    ]);
  });
});

test("an address without a DOI is an identifier", () => {
  expect(read({ title: "Pots", URL: "https://example.org/pots" }).values.alternateIdentifiers).toEqual([
    { alternateIdentifier: "https://example.org/pots", alternateIdentifierType: "URL" },
  ]);
});

test("a text that is no DOI causes a remark, and the address is used", () => {
  const { values, remarks } = read({ title: "Pots", DOI: "none yet", URL: "https://example.org/pots" });
  expect(values.alternateIdentifiers?.[0]?.alternateIdentifier).toBe("https://example.org/pots");
  expect(remarks).toEqual([{ place: "/DOI", message: expect.stringContaining("not a DOI") }]);
});

test.each([
  [{ type: "dataset", genre: "Software" }, "Dataset", "Software", 0],
  [{ type: "software", genre: "Workflow" }, "Workflow", undefined, 0],
  [{ type: "document", genre: "Award" }, "Award", undefined, 0],
  [{ type: "patent" }, undefined, undefined, 1],
])("%j", (item, general, exact, remarked) => {
  const { values, remarks } = read({ title: "Pots", ...item });
  expect([values.resourceTypeGeneral, values.resourceType, remarks.length]).toEqual([general, exact, remarked]);
});

test("keywords of a list stay whole", () => {
  expect(read({ title: "Pots", keyword: ["Diabetes Mellitus, Type 2", "wheat"] }).values.subjects).toEqual([
    "Diabetes Mellitus, Type 2",
    "wheat",
  ]);
});

test.each([[[]], [["text"]], ["text"], [3]])("%j is not an item", (value) => {
  expect(() => read(value)).toThrow("does not contain an object");
});
