import { describe, expect, test } from "vitest";
import { readCrate, readFile, related } from "../../../../tests/support/metadata-files/read.ts";
import { identifierIn, identifierWithin } from "./links.ts";

test.each([
  ["git+https://github.com/example/tool.git", "https://github.com/example/tool.git"],
  ["scm:git:https://git.example.org/tool.git", "https://git.example.org/tool.git"],
  ["git@github.com:example/tool.git", "https://github.com/example/tool.git"],
  ["git+ssh://git@github.com/example/tool.git", "https://github.com/example/tool.git"],
  ["git://github.com/example/tool.git", "https://github.com/example/tool.git"],
  ["github:example/tool", "https://github.com/example/tool"],
  ["git@git.example.org:example/tool.git", undefined],
])("the address %j is %s", (text, address) => {
  expect(identifierIn(text)?.identifier).toBe(address);
});

test.each([
  ["Roe A (2020). Soil. Geoderma 1:2. doi: 10.1234/abc", "10.1234/abc"],
  ["Roe A (2020). Soil (https://doi.org/10.1234/ABC).", "10.1234/abc"],
  ["Roe A (2020). Soil, 10.1016/s0016-7061(20)30001-1.", "10.1016/s0016-7061(20)30001-1"],
  ["Roe A: https://www.example.org/doi/10.1234/abc", "10.1234/abc"],
  ["Roe A (2020). Soil. arXiv:2101.00001.", "arXiv:2101.00001"],
  ["Roe A (2020). Soil. PMID: 17439666", "17439666"],
  ["Roe A (2020). Soil. https://example.org/soil.", "https://example.org/soil"],
  ["See 10.1234/abc and 10.1234/def", undefined],
  ["Version 10.1 of 2020", undefined],
])("the only identifier within %j is %s", (text, identifier) => {
  expect(identifierWithin(text)?.identifier).toBe(identifier);
});

test("a citation keeps its text beside its identifier", () => {
  const citation = "Roe A (2020). Soil. doi: 10.1234/abc";
  expect(readFile("bids", { ReferencesAndLinks: [citation] }).values.relatedIdentifiers).toEqual([
    { relationType: "References", relatedIdentifier: "10.1234/abc", relatedIdentifierType: "DOI", citation },
  ]);
});

describe("in a crate", () => {
  test("the DOI of an article counts more than the address of its page", () => {
    const article = (identifier: unknown) => ({
      "@id": "https://journal.example.org/7",
      "@type": "ScholarlyArticle",
      name: "Soil",
      identifier,
    });
    const typed = { "@id": "#doi", "@type": "PropertyValue", propertyID: "doi", value: "10.1234/x" };
    for (const identifier of [{ "@id": "https://doi.org/10.1234/x" }, "doi:10.1234/x", { "@id": "#doi" }]) {
      const { values } = readCrate(
        { citation: { "@id": "https://journal.example.org/7" } },
        article(identifier),
        typed,
      );
      expect(values.relatedIdentifiers).toMatchObject([
        { relatedIdentifier: "10.1234/x", relatedIdentifierType: "DOI" },
      ]);
    }
  });

  test("an identifier keeps the type that is stated", () => {
    const value = (propertyID: string, value: string) => ({ "@type": "PropertyValue", propertyID, value });
    const identifier = [
      value("ENA accession", "PRJEB1"),
      value("pmid", "17439666"),
      "PRJEB2",
      "./",
      { "@id": "#lost" },
    ];
    expect(readCrate({ identifier }).values.alternateIdentifiers).toEqual([
      { alternateIdentifier: "PRJEB1", alternateIdentifierType: "ENA accession" },
      { alternateIdentifier: "17439666", alternateIdentifierType: "pmid" },
      { alternateIdentifier: "PRJEB2" },
    ]);
  });

  test("a resource that the file does not describe causes a remark", () => {
    expect(readCrate({ name: "Pots", citation: { "@id": "#lost" } })).toEqual({
      values: { title: "Pots" },
      remarks: [{ place: "/@graph/1/citation", message: expect.stringContaining("does not describe") }],
    });
  });
});

test("a DOI in several spellings is one identifier", () => {
  const text = `doi: 10.5281/zenodo.1
identifiers:
  - {type: doi, value: "https://doi.org/10.5281/zenodo.1"}
  - {type: doi, value: "10.5281/ZENODO.1"}
  - {type: other, value: "POT-1"}
`;
  expect(readFile("cff", text).values.alternateIdentifiers).toHaveLength(2);
});

test("a related DOI in several spellings is one relation, with its citation", () => {
  const { values } = readFile("bids", {
    ReferencesAndLinks: ["https://doi.org/10.1234/ABC", "Roe (2020). doi:10.1234/abc"],
  });
  expect(values.relatedIdentifiers).toEqual([
    related("References", "DOI", "10.1234/abc", { citation: "Roe (2020). doi:10.1234/abc" }),
  ]);
});

test("an identifier of another type than stated keeps its value", () => {
  const relatedIdentifiers = [
    { relationType: "Cites", relatedIdentifier: "https://example.org/x", relatedIdentifierType: "DOI" },
  ];
  expect(readFile("datacite-json", { relatedIdentifiers }).values.relatedIdentifiers).toEqual([
    { relationType: "Cites", relatedIdentifier: "https://example.org/x", relatedIdentifierType: "URL" },
  ]);
});
