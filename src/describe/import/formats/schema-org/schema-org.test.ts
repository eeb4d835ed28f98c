import { expect, test } from "vitest";
import { box, organisation, person, readFile, related } from "../../../../../tests/support/metadata-files/read.ts";

const descriptor = {
  "@id": "ro-crate-metadata.json",
  "@type": "CreativeWork",
  conformsTo: { "@id": "https://w3id.org/ro/crate/1.2" },
  about: { "@id": "./" },
};
const crate = (...graph: object[]) =>
  readFile("ro-crate", { "@context": "https://w3id.org/ro/crate/1.2/context", "@graph": graph });
const codemeta = (value: object) => readFile("codemeta", value);

const josiah = person("Josiah", "Carberry");

test("a minimal RO-Crate", () => {
  const root = {
    "@id": "./",
    "@type": "Dataset",
    name: "Pots",
    license: { "@id": "http://spdx.org/licenses/CC0-1.0" },
  };
  expect(crate(descriptor, root)).toEqual({ values: { title: "Pots", license: "CC0-1.0" }, remarks: [] });
});

test("a rich RO-Crate fills members from the root dataset and the entities to which it refers", () => {
  const { values, remarks } = crate(
    { ...descriptor, about: { "@id": "https://example.org/crate/" } },
    {
      "@id": "https://example.org/crate/",
      "@type": ["Dataset"],
      name: ["Cracks in pots"],
      alternateName: "Pots",
      description: "Photographs of cracks, taken <i>weekly</i>.",
      author: [{ "@id": "https://orcid.org/0000-0002-1825-0097" }, { "@id": "#team" }, { "@id": "#lost" }],
      contributor: [{ "@id": "https://orcid.org/0000-0002-1825-0097" }, { "@id": "#ada" }],
      contactPoint: { "@id": "#office" },
      keywords: "pots, cracks, , pots",
      about: { "@id": "http://vocab.example.org/kilns" },
      inLanguage: { "@id": "#english" },
      version: "1.10",
      license: [{ "@id": "#terms" }],
      funder: [{ "@id": "https://ror.org/00k4n6c32" }],
      funding: { "@id": "#grant" },
      citation: ["https://doi.org/10.1234/abcd", { "@id": "#paper" }, "Carberry (1999): Pots."],
      isBasedOn: { "@id": "https://data.example.org/seeds/17" },
      temporalCoverage: "1950/1975",
      contentLocation: [{ "@id": "#kiln" }, { "@id": "#yard" }],
      identifier: ["./", { "@id": "https://doi.org/10.1234/crate" }],
      hasPart: [{ "@id": "data.csv" }],
    },
    { "@id": "data.csv", "@type": "File", name: "Not the title" },
    {
      "@id": "https://orcid.org/0000-0002-1825-0097",
      "@type": "Person",
      name: "Josiah Carberry",
      affiliation: [{ "@id": "https://ror.org/05gq02987" }, "Museum of Pots"],
    },
    { "@id": "https://ror.org/05gq02987", "@type": "Organization", name: "Brown University" },
    { "@id": "#team", "@type": "Organization", name: "Crack team" },
    { "@id": "#ada", "@type": "Person", givenName: "Ada", familyName: "Curator" },
    { "@id": "#office", "@type": "ContactPoint", name: "Data office", email: "mailto:data@example.org" },
    { "@id": "#english", "@type": "Language", name: "English" },
    {
      "@id": "http://vocab.example.org/kilns",
      "@type": "DefinedTerm",
      name: "kilns",
      inDefinedTermSet: "AAT",
      termCode: "k1",
    },
    {
      "@id": "#terms",
      "@type": "CreativeWork",
      name: "CC BY 4.0",
      url: "https://creativecommons.org/licenses/by/4.0/",
    },
    { "@id": "https://ror.org/00k4n6c32", "@type": "Organization", name: "European Commission" },
    {
      "@id": "#grant",
      "@type": "Grant",
      name: "Pots in Europe",
      identifier: "101017502",
      funder: { "@id": "https://ror.org/00k4n6c32" },
    },
    {
      "@id": "#paper",
      "@type": "ScholarlyArticle",
      name: "A paper",
      author: { "@id": "#ada" },
      datePublished: "2015-02-01",
    },
    { "@id": "#kiln", "@type": "Place", name: "Kiln", geo: { "@id": "_:g" } },
    {
      "@id": "_:g",
      "@type": "Geometry",
      asWKT: "<http://www.opengis.net/def/crs/OGC/1.3/CRS84> POINT (150.301195 -33.7152)",
    },
    { "@id": "#yard", "@type": "Place", geo: { "@type": "GeoShape", box: "1 2 3 4" } },
  );
  expect(values).toEqual({
    title: "Cracks in pots",
    titles: [{ title: "Pots", titleType: "AlternativeTitle" }],
    description: "Photographs of cracks, taken weekly.",
    versionLabel: "1.10",
    authors: [
      {
        ...josiah,
        orcid: "0000-0002-1825-0097",
        affiliation: "Brown University",
        rorid: "https://ror.org/05gq02987",
        affiliations: [{ name: "Museum of Pots" }],
      },
      organisation("Crack team"),
      person("Ada", "Curator", { role: "Contributor" }),
    ],
    contact: { name: "Data office", email: "data@example.org" },
    language: "English",
    subjects: ["pots", "cracks"],
    subjectTerms: [
      { subject: "kilns", subjectScheme: "AAT", valueUri: "http://vocab.example.org/kilns", classificationCode: "k1" },
    ],
    license: "CC-BY-4.0",
    fundingReferences: [
      {
        funderName: "European Commission",
        funderIdentifier: "https://ror.org/00k4n6c32",
        awardNumber: "101017502",
        awardTitle: "Pots in Europe",
      },
    ],
    relatedIdentifiers: [
      { relationType: "References", relatedIdentifier: "10.1234/abcd", relatedIdentifierType: "DOI" },
      { relationType: "References", citation: "Curator, Ada (2015): A paper." },
      { relationType: "References", citation: "Carberry (1999): Pots." },
      related("IsDerivedFrom", "URL", "https://data.example.org/seeds/17"),
    ],
    dates: [{ date: "1950/1975", dateType: "Coverage" }],
    geoLocations: [
      { geoLocationPlace: "Kiln", geoLocationPoint: { pointLatitude: -33.7152, pointLongitude: 150.301195 } },
      { geoLocationBox: box(1, 2, 3, 4) },
    ],
    alternateIdentifiers: [{ alternateIdentifier: "10.1234/crate", alternateIdentifierType: "DOI" }],
  });
  expect(remarks).toEqual([
    { place: "/@graph/1/author/2", message: "The person or organisation has no name and is not used." },
  ]);
});

test("a minimal CodeMeta file", () => {
  expect(codemeta({ "@type": "SoftwareSourceCode", name: "potter" })).toEqual({
    values: { title: "potter", resourceTypeGeneral: "Software" },
    remarks: [],
  });
});

test("a rich CodeMeta file of version 2, and the same in the names of version 3", () => {
  const person = { givenName: "Josiah", familyName: "Carberry", affiliation: { name: "Brown University" } };
  const rich = (id: string, type: string) =>
    codemeta({
      "@context": "https://w3id.org/codemeta/3.0",
      [type]: "SoftwareSourceCode",
      name: "potter",
      description: "Finds cracks in photographs of pots.",
      author: [
        { [type]: "Person", [id]: "http://orcid.org/0000-0002-1825-0097", ...person },
        { [type]: "Role", roleName: "Developer", "schema:author": "_:author_1" },
      ],
      maintainer: { [type]: "Person", [id]: "http://orcid.org/0000-0002-1825-0097", ...person },
      keywords: ["pots", "cracks"],
      license: "https://spdx.org/licenses/MIT",
      codeRepository: "https://git.example.org/potter",
      referencePublication: { [type]: "ScholarlyArticle", [id]: "https://doi.org/10.1234/paper", name: "Potter" },
      funder: { [type]: "Organization", name: "European Commission" },
      funding: "101017502",
      dateCreated: "2025-06-05",
      version: "0.3.0",
      identifier: "https://doi.org/10.1234/potter",
    });
  const { values, remarks } = rich("@id", "@type");
  expect(remarks).toEqual([]);
  expect(values).toEqual({
    title: "potter",
    description: "Finds cracks in photographs of pots.",
    versionLabel: "0.3.0",
    authors: [{ ...josiah, orcid: "0000-0002-1825-0097", affiliation: "Brown University" }],
    subjects: ["pots", "cracks"],
    license: "MIT",
    fundingReferences: [{ funderName: "European Commission", awardNumber: "101017502" }],
    relatedIdentifiers: [
      related("IsDescribedBy", "DOI", "10.1234/paper", { citation: "Potter." }),
      related("IsSupplementTo", "URL", "https://git.example.org/potter"),
    ],
    dates: [{ date: "2025-06-05", dateType: "Created" }],
    alternateIdentifiers: [{ alternateIdentifier: "10.1234/potter", alternateIdentifierType: "DOI" }],
    resourceTypeGeneral: "Software",
  });
  expect(rich("id", "type").values).toEqual(values);
});
