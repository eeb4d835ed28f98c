import { expect, test } from "vitest";
import { box, organisation, person, readFile, related } from "../../../../tests/support/metadata-files/read.ts";
import { readMetadataFile } from "../read-metadata-file.ts";

const json = (value: object) => readFile("datacite-json", value);
const xml = (text: string) => readFile("datacite-xml", text);

const minimal = {
  creators: [{ name: "Carberry, Josiah" }],
  titles: [{ title: "Cracks in pots" }],
  publisher: "Psychoceramics Archive",
  publicationYear: 2026,
};

/** Entries that are imported as they are. */
const collected = { date: "2026-05-04/2026-07-27", dateType: "Collected", dateInformation: "Weekly" };
const described = { relationType: "IsDescribedBy", relatedIdentifier: "10.1234/abcd", relatedIdentifierType: "DOI" };
const funding = {
  funderName: "European Commission",
  funderIdentifier: "https://ror.org/00k4n6c32",
  funderIdentifierType: "ROR",
  awardNumber: "101017502",
  awardUri: "https://cordis.europa.eu/project/id/101017502",
};

const rich = {
  doi: "10.1234/POTS.2026",
  creators: [
    {
      name: "Carberry, Josiah",
      nameType: "Personal",
      givenName: "Josiah",
      familyName: "Carberry",
      nameIdentifiers: [{ nameIdentifier: "https://orcid.org/0000-0002-1825-0097", nameIdentifierScheme: "ORCID" }],
      affiliation: [
        { name: "Brown University", affiliationIdentifier: "https://ror.org/05gq02987" },
        { name: "Leibniz Institute of Plant Genetics", affiliationIdentifier: "https://ror.org/05gq02980" },
      ],
    },
    { name: "Pottery Consortium", nameType: "Organizational" },
    { name: "Toth, Csilla", nameIdentifiers: { nameIdentifier: "0000-0000-0000-0000", nameIdentifierScheme: "ORCID" } },
    { name: "" },
  ],
  contributors: [
    { name: "Curator, Ada", contributorType: "DataCurator", affiliation: ["Museum of Pots"] },
    { name: "Coast Library", contributorType: "HostingInstitution" },
    { name: "Wirt, Tom", contributorType: "Juggler" },
  ],
  titles: [
    { title: "With a view from below", titleType: "Subtitle", lang: "en" },
    { title: "Cracks in pots &amp; pans" },
    { title: "Risse in Töpfen", titleType: "TranslatedTitle", lang: "nowhere" },
  ],
  descriptions: [
    { description: "Kiln temperatures.", descriptionType: "Methods" },
    { description: "<p>Photographs of cracks.</p>Taken <b>weekly</b>.<br/>For a year.", descriptionType: "Abstract" },
  ],
  subjects: [
    { subject: "pottery" },
    { subject: "kilns", subjectScheme: "AAT", valueUri: "http://vocab.example.org/kilns", schemeUri: "ftp://x" },
  ],
  language: "en",
  version: 2,
  types: { resourceTypeGeneral: "Image", resourceType: "Crack photographs" },
  rightsList: [
    { rightsUri: "info:eu-repo/semantics/openAccess" },
    { rights: "Creative Commons Attribution 4.0", rightsIdentifier: "cc-by-4.0", rightsIdentifierScheme: "SPDX" },
    { rights: "MIT License" },
  ],
  dates: [collected, { date: "2026-08-01", dateType: "Issued" }, { date: "2026-02-30", dateType: "Created" }],
  fundingReferences: [
    funding,
    { funderName: "Unknown fund", funderIdentifier: "ror.org/1", funderIdentifierType: "ROR" },
  ],
  relatedIdentifiers: [
    described,
    { relationType: "Admires", relatedIdentifier: "10.1234/efgh", relatedIdentifierType: "DOI" },
    { relationType: "Cites", relatedIdentifier: "978-1", relatedIdentifierType: "ISBN" },
  ],
  relatedItems: [
    {
      relationType: "IsPublishedIn",
      relatedItemType: "Journal",
      creators: [{ name: "Carberry, Josiah" }],
      titles: [{ title: "Journal of Psychoceramics" }],
      publicationYear: 2008,
    },
  ],
  geoLocations: [
    {
      geoLocationPlace: "Providence",
      geoLocationPoint: { pointLatitude: 41.8, pointLongitude: "-71.4" },
      geoLocationPolygon: [{ polygonPoint: {} }],
    },
    { geoLocationPoint: { pointLatitude: 141.8, pointLongitude: 1 } },
    {
      geoLocationBox: [{ westBoundLongitude: 1, eastBoundLongitude: 2, southBoundLatitude: 3, northBoundLatitude: 4 }],
    },
  ],
  identifiers: [{ identifier: "https://doi.org/10.1234/POTS.2026", identifierType: "DOI" }],
  alternateIdentifiers: [{ alternateIdentifier: "POT-17", alternateIdentifierType: "Inventory number" }],
};

test("a minimal record, alone and as the answer of the REST API", () => {
  const expected = { values: { title: "Cracks in pots", authors: [person("Josiah", "Carberry")] }, remarks: [] };
  expect(json(minimal)).toEqual(expected);
  expect(json({ data: { id: "10.1234/x", type: "dois", attributes: minimal } })).toEqual(expected);
});

test("a rich record fills all members, and invalid values cause remarks", () => {
  const { values, remarks } = json(rich);
  expect(values).toEqual({
    title: "Cracks in pots & pans",
    titles: [
      { title: "With a view from below", titleType: "Subtitle", language: "en" },
      { title: "Risse in Töpfen", titleType: "TranslatedTitle" },
    ],
    description: "Photographs of cracks.\nTaken weekly.\nFor a year.",
    descriptions: [{ description: "Kiln temperatures.", descriptionType: "Methods" }],
    authors: [
      person("Josiah", "Carberry", {
        orcid: "0000-0002-1825-0097",
        affiliation: "Brown University",
        rorid: "https://ror.org/05gq02987",
        affiliations: [{ name: "Leibniz Institute of Plant Genetics" }],
      }),
      organisation("Pottery Consortium"),
      person("Csilla", "Toth"),
      person("Ada", "Curator", { role: "DataCurator", affiliation: "Museum of Pots" }),
      organisation("Coast Library", { role: "HostingInstitution" }),
      person("Tom", "Wirt", { role: "Other" }),
    ],
    language: "en",
    versionLabel: "2",
    subjects: ["pottery"],
    subjectTerms: [{ subject: "kilns", subjectScheme: "AAT", valueUri: "http://vocab.example.org/kilns" }],
    license: "CC-BY-4.0",
    licenses: [{ license: "MIT" }],
    dates: [collected],
    fundingReferences: [funding, { funderName: "Unknown fund", funderIdentifierType: "ROR" }],
    relatedIdentifiers: [
      described,
      {
        relationType: "IsPublishedIn",
        resourceTypeGeneral: "Journal",
        citation: "Carberry, Josiah (2008): Journal of Psychoceramics.",
      },
    ],
    geoLocations: [
      { geoLocationPlace: "Providence", geoLocationPoint: { pointLatitude: 41.8, pointLongitude: -71.4 } },
      { geoLocationBox: box(3, 1, 4, 2) },
    ],
    resourceTypeGeneral: "Image",
    resourceType: "Crack photographs",
    alternateIdentifiers: [
      { alternateIdentifier: "10.1234/POTS.2026", alternateIdentifierType: "DOI" },
      { alternateIdentifier: "POT-17", alternateIdentifierType: "Inventory number" },
    ],
  });
  const messages = Object.fromEntries(remarks.map(({ place, message }) => [place, message]));
  expect(remarks).toHaveLength(11);
  expect(messages).toEqual({
    "/creators/0": "“rorid”: The ROR id is not valid. The value is not used.",
    "/creators/2": "“orcid”: The ORCID iD is not valid. The value is not used.",
    "/creators/3": "The person or organisation has no name and is not used.",
    "/titles/2": "“language”: The language is not known. The value is not used.",
    "/subjects/1": "“schemeUri”: The web address is not valid. The value is not used.",
    "/dates/2": "“date”: The date is not valid. The entry is not used.",
    "/fundingReferences/1": "“funderIdentifier”: The identifier is not valid. The value is not used.",
    "/relatedIdentifiers/1": "“relationType”: The value is not in the list. The entry is not used.",
    "/relatedIdentifiers/2": "“relatedIdentifier”: The identifier is not valid. The entry is not used.",
    "/geoLocations/0": "Polygons are not supported. The polygon is not used.",
    "/geoLocations/1": "“pointLatitude”: The coordinate is not valid. The entry is not used.",
  });
});

test("a record without creators has other roles, or no authors", () => {
  const contributors = [{ name: "Curator, Ada", contributorType: "DataCurator" }];
  expect(json({ contributors }).values.authors).toMatchObject([{ role: "DataCurator" }]);
  expect(json({ titles: [{ title: "Pots" }] }).values).toEqual({ title: "Pots" });
});

test("XML of kernel 3, with coordinates as text", () => {
  const { values, remarks } = xml(`<?xml version="1.0" encoding="UTF-8"?>
    <resource xmlns="http://datacite.org/schema/kernel-3">
      <identifier identifierType="DOI">10.1234/pots</identifier>
      <creators><creator><creatorName>Carberry, Josiah</creatorName>
        <nameIdentifier nameIdentifierScheme="ORCID">0000-0002-1825-0097</nameIdentifier>
        <affiliation>Brown University</affiliation></creator></creators>
      <titles><title>Pots</title></titles>
      <rightsList><rights rightsURI="http://creativecommons.org/publicdomain/zero/1.0/">CC0 1.0 Universal</rights></rightsList>
      <geoLocations><geoLocation><geoLocationPoint>31.233 -67.302</geoLocationPoint>
        <geoLocationBox>41.090 -71.032  42.893 -68.211</geoLocationBox></geoLocation></geoLocations>
    </resource>`);
  expect(remarks).toEqual([]);
  expect(values).toEqual({
    title: "Pots",
    authors: [person("Josiah", "Carberry", { orcid: "0000-0002-1825-0097", affiliation: "Brown University" })],
    license: "CC0-1.0",
    geoLocations: [
      {
        geoLocationPoint: { pointLatitude: 31.233, pointLongitude: -67.302 },
        geoLocationBox: box(41.09, -71.032, 42.893, -68.211),
      },
    ],
    alternateIdentifiers: [{ alternateIdentifier: "10.1234/pots", alternateIdentifierType: "DOI" }],
  });
});

test("XML of kernel 4 with a prefix, in an envelope, with lines in remarks", () => {
  const { values, remarks } = xml(`<record xmlns:dc="http://datacite.org/schema/kernel-4">
<dc:resource>
<dc:creators><dc:creator><dc:creatorName nameType="Organizational">Pottery Consortium</dc:creatorName>
<dc:nameIdentifier nameIdentifierScheme="ROR">https://ror.org/05gq02987</dc:nameIdentifier></dc:creator>
<dc:creator><dc:creatorName nameType="Personal">Toth, Csilla</dc:creatorName>
<dc:nameIdentifier nameIdentifierScheme="ORCID">0000-0002-1825-0098</dc:nameIdentifier>
<dc:affiliation affiliationIdentifier="https://ror.org/05gq02987">Brown University</dc:affiliation></dc:creator></dc:creators>
<dc:titles><dc:title xml:lang="de" titleType="TranslatedTitle">Töpfe</dc:title><dc:title>Pots &amp;
  pans</dc:title></dc:titles>
<dc:descriptions><dc:description descriptionType="Abstract">
    First line<br/>second line
  </dc:description></dc:descriptions>
<dc:resourceType resourceTypeGeneral="Dataset">Photographs</dc:resourceType>
<dc:subjects><dc:subject classificationCode="461001" subjectScheme="ANZSRC">Curation</dc:subject><dc:subject>pots</dc:subject></dc:subjects>
<dc:fundingReferences><dc:fundingReference><dc:funderName>Fund</dc:funderName>
<dc:funderIdentifier funderIdentifierType="Crossref Funder ID">10.13039/501100000780</dc:funderIdentifier>
<dc:awardNumber awardURI="https://example.org/a/1">A 1</dc:awardNumber></dc:fundingReference></dc:fundingReferences>
<dc:relatedItems><dc:relatedItem relatedItemType="Book" relationType="References">
<dc:relatedItemIdentifier relatedItemIdentifierType="ISBN">978-3-905673-82-1</dc:relatedItemIdentifier>
<dc:titles><dc:title>On pots</dc:title></dc:titles></dc:relatedItem></dc:relatedItems>
</dc:resource></record>`);
  expect(remarks).toEqual([{ place: "line 5", message: "“orcid”: The ORCID iD is not valid. The value is not used." }]);
  expect(values).toEqual({
    title: "Pots & pans",
    titles: [{ title: "Töpfe", titleType: "TranslatedTitle", language: "de" }],
    description: "First line\nsecond line",
    authors: [
      organisation("Pottery Consortium", { rorid: "https://ror.org/05gq02987" }),
      person("Csilla", "Toth", { affiliation: "Brown University", rorid: "https://ror.org/05gq02987" }),
    ],
    subjects: ["pots"],
    subjectTerms: [{ subject: "Curation", subjectScheme: "ANZSRC", classificationCode: "461001" }],
    resourceTypeGeneral: "Dataset",
    resourceType: "Photographs",
    fundingReferences: [
      {
        funderName: "Fund",
        funderIdentifier: "10.13039/501100000780",
        funderIdentifierType: "Crossref Funder ID",
        awardNumber: "A 1",
        awardUri: "https://example.org/a/1",
      },
    ],
    relatedIdentifiers: [
      related("References", "ISBN", "978-3-905673-82-1", { resourceTypeGeneral: "Book", citation: "On pots" }),
    ],
  });
});

test.each(["ISO-8859-1", "windows-1252"])(
  "XML that declares %s, and no other encoding that is not Unicode",
  (encoding) => {
    const document = (declared: string) =>
      `<?xml version="1.0" encoding='${declared}'?><resource xmlns="http://datacite.org/schema/kernel-4"><titles><title>T\u00f6pfe</title></titles></resource>`;
    const read = (declared: string) => readMetadataFile("datacite-xml", Buffer.from(document(declared), "latin1"));
    expect(read(encoding).values.title).toBe("Töpfe");
    expect(() => read("UTF-8")).toThrow("not UTF-8");
    expect(() => read("ISO-8859-5")).toThrow("not UTF-8");
  },
);
