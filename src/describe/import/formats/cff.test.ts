import { expect, test } from "vitest";
import { organisation, person, readFile, related } from "../../../../tests/support/metadata-files/read.ts";

const read = (text: string) => readFile("cff", text);

test("a minimal file", () => {
  const text = `cff-version: 1.2.0
message: Please cite it.
title: Cracks in pots
authors:
  - family-names: Carberry
    given-names: Josiah
`;
  expect(read(text)).toEqual({
    values: { title: "Cracks in pots", authors: [person("Josiah", "Carberry")] },
    remarks: [],
  });
});

test("a rich file", () => {
  const { values, remarks } = read(`# A comment
cff-version: "1.2.0"
type: dataset
title: "Cracks in pots: a year"
abstract: >
  Photographs of cracks,
  taken weekly.
version: 1.10
date-released: 2026-08-01
authors:
  - name-particle: van der
    family-names: Carberry
    name-suffix: Jr.
    given-names: Josiah
    orcid: https://orcid.org/0000-0002-1825-0097
    affiliation: Brown University
  - name: Crack team
  - family-names: Toth
    orcid: https://orcid.org/0000-0000-0000-0000
contact:
  - given-names: Ada
    family-names: Curator
    email: ada@example.org
keywords: [pots, cracks]
license: [MIT, Apache-2.0]
doi: 10.1234/pots
identifiers:
  - type: swh
    value: swh:1:rel:99f6850374dc6597af01bd0ee1d3fc0699301b9f
  - { type: other, value: POT-17 }
repository-code: https://git.example.org/pots
preferred-citation:
  type: article
  title: On cracks
  authors: [{ family-names: Carberry, given-names: Josiah }]
  journal: Journal of Psychoceramics
  year: 2008
  doi: 10.1234/paper
references:
  - type: book
    title: Pots
    authors: [{ name: Pottery Society }]
  - type: blog
`);
  expect(values).toEqual({
    title: "Cracks in pots: a year",
    description: "Photographs of cracks, taken weekly.",
    versionLabel: "1.10",
    resourceTypeGeneral: "Dataset",
    authors: [
      person("Josiah", "van der Carberry Jr.", { orcid: "0000-0002-1825-0097", affiliation: "Brown University" }),
      organisation("Crack team"),
      { role: "Creator", nameType: "Personal", lastName: "Toth" },
    ],
    contact: { name: "Ada Curator", email: "ada@example.org" },
    subjects: ["pots", "cracks"],
    license: "MIT OR Apache-2.0",
    alternateIdentifiers: [
      { alternateIdentifier: "10.1234/pots", alternateIdentifierType: "DOI" },
      { alternateIdentifier: "swh:1:rel:99f6850374dc6597af01bd0ee1d3fc0699301b9f", alternateIdentifierType: "SWHID" },
      { alternateIdentifier: "POT-17" },
    ],
    relatedIdentifiers: [
      related("IsSupplementTo", "URL", "https://git.example.org/pots"),
      related("IsDescribedBy", "DOI", "10.1234/paper", {
        resourceTypeGeneral: "JournalArticle",
        citation: "Carberry, Josiah (2008): On cracks. Journal of Psychoceramics",
      }),
      { relationType: "References", resourceTypeGeneral: "Book", citation: "Pottery Society: Pots." },
    ],
  });
  expect(remarks).toEqual([
    { place: "/authors/2", message: "“orcid”: The ORCID iD is not valid. The value is not used." },
  ]);
});

test("a title in block style is one line", () => {
  const { values } = read("title: |\n  Cracks\n  in pots\nmessage: x\n");
  expect(values.title).toBe("Cracks in pots");
});
