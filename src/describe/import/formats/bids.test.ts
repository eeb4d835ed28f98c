import { expect, test } from "vitest";
import { organisation, person, readFile } from "../../../../tests/support/metadata-files/read.ts";

const read = (value: object) => readFile("bids", value);

test("a minimal description", () => {
  expect(read({ Name: "Responses to pots", BIDSVersion: "1.10.0" })).toEqual({
    values: { title: "Responses to pots" },
    remarks: [],
  });
});

test("a rich description, with names in several orders", () => {
  const { values, remarks } = read({
    Name: "Responses to pots",
    Authors: ["Josiah S. Carberry", "Toth C", "Curator, Ada", "Anna van der Berg", "Pottery Consortium", "Plato", ""],
    Keywords: ["pots"],
    License: "CC0",
    Acknowledgements: "We thank the potters.",
    Funding: ["Pottery Fund P-17"],
    ReferencesAndLinks: ["doi:10.1234/paper", "Carberry (1999): Pots."],
    SourceDatasets: [{ URL: "https://example.org/source", DOI: "doi:10.1234/source" }],
    DatasetDOI: "doi:10.1234/pots",
  });
  expect(remarks).toEqual([]);
  expect(values).toEqual({
    title: "Responses to pots",
    acknowledgements: "We thank the potters.",
    authors: [
      person("Josiah S.", "Carberry"),
      person("C", "Toth"),
      person("Ada", "Curator"),
      person("Anna", "van der Berg"),
      organisation("Pottery Consortium"),
      { role: "Creator", nameType: "Personal", lastName: "Plato" },
    ],
    subjects: ["pots"],
    license: "CC0-1.0",
    fundingReferences: [{ funderName: "Pottery Fund P-17" }],
    relatedIdentifiers: [
      { relationType: "References", relatedIdentifier: "10.1234/paper", relatedIdentifierType: "DOI" },
      { relationType: "References", citation: "Carberry (1999): Pots." },
      { relationType: "IsDerivedFrom", relatedIdentifier: "10.1234/source", relatedIdentifierType: "DOI" },
    ],
    alternateIdentifiers: [{ alternateIdentifier: "10.1234/pots", alternateIdentifierType: "DOI" }],
  });
});
