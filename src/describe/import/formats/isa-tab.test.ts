import { expect, test } from "vitest";
import { person, related } from "../../../../tests/support/metadata-files/read.ts";
import { readMetadataFile } from "../read-metadata-file.ts";

const read = (bytes: string | Uint8Array) => readMetadataFile("isa-tab", Buffer.from(bytes as string));

const rich = [
  "ONTOLOGY SOURCE REFERENCE",
  'Term Source Name\t"OBI"',
  "INVESTIGATION",
  'Investigation Identifier\t"POT-I-1"',
  'Investigation Title\t"Growth of ""crack"" lines"',
  'Investigation Description\t"Pots were heated\nand photographed."',
  'Comment[Created With Configuration]\t""',
  "INVESTIGATION PUBLICATIONS",
  'Investigation PubMed ID\t"17439666"\t"17439667"',
  'Investigation Publication DOI\t"doi:10.1234/paper"\t""',
  'Investigation Publication Author List\t"Carberry J"\t"Toth C"',
  'Investigation Publication Title\t"On cracks"\t"On lids"',
  "INVESTIGATION CONTACTS",
  'Investigation Person Last Name\t"Carberry"\t"Curator"\t""',
  'Investigation Person First Name\t"Josiah"\t"Ada"\t""',
  'Investigation Person Mid Initials\t"S"\t""\t""',
  'Investigation Person Email\t"josiah@example.org"\t""\t""',
  'Investigation Person Affiliation\t"Brown University"\t""\t""',
  'Investigation Person Roles\t"corresponding author"\t"data curator role"\t""',
  'Comment[Investigation Person ORCID]\t"0000-0002-1825-0097"\t"0000-0000-0000-0000"\t""',
  "STUDY",
  'Study Identifier\t"POT-S-1"',
  'Study Title\t"Not the title"',
  'Comment[Study Funding Agency]\t"European Commission"',
  'Comment[Study Grant Number]\t"101017502"',
  "STUDY DESIGN DESCRIPTORS",
  'Study Design Type\t"time series design"\t"heating"',
  'Study Design Type Term Accession Number\t"http://purl.obolibrary.org/obo/OBI_0500020"\t""',
  'Study Design Type Term Source REF\t"OBI"\t""',
];

const expected = {
  title: 'Growth of "crack" lines',
  description: "Pots were heated\nand photographed.",
  alternateIdentifiers: [
    { alternateIdentifier: "POT-I-1", alternateIdentifierType: "ISA investigation identifier" },
    { alternateIdentifier: "POT-S-1", alternateIdentifierType: "ISA study identifier" },
  ],
  authors: [
    person("Josiah S", "Carberry", { orcid: "0000-0002-1825-0097", affiliation: "Brown University" }),
    person("Ada", "Curator", { role: "DataCurator" }),
  ],
  contact: { name: "Josiah S Carberry", email: "josiah@example.org" },
  relatedIdentifiers: [
    related("IsDescribedBy", "DOI", "10.1234/paper", { citation: "Carberry J: On cracks." }),
    related("IsDescribedBy", "PMID", "17439667", { citation: "Toth C: On lids." }),
  ],
  fundingReferences: [{ funderName: "European Commission", awardNumber: "101017502" }],
  subjects: ["heating"],
  subjectTerms: [
    { subject: "time series design", subjectScheme: "OBI", valueUri: "http://purl.obolibrary.org/obo/OBI_0500020" },
  ],
};

test("a minimal file, in which only the study has a title", () => {
  const text =
    "INVESTIGATION\nInvestigation Title\t\nSTUDY\nStudy Title\tCracks\nSTUDY CONTACTS\nStudy Person Last Name\tToth\n";
  expect(read(text)).toEqual({
    values: { title: "Cracks", authors: [{ role: "Creator", nameType: "Personal", lastName: "Toth" }] },
    remarks: [],
  });
});

test("a rich file", () => {
  const { values, remarks } = read(rich.join("\n"));
  expect(values).toEqual(expected);
  expect(remarks).toEqual([
    { place: "line 15", message: "“orcid”: The ORCID iD is not valid. The value is not used." },
  ]);
});

test.each([
  ["CR LF and a byte order mark", Buffer.from(`\ufeff${rich.join("\r\n")}`)],
  ["CR", Buffer.from(rich.join("\r"))],
  ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${rich.join("\n")}`, "utf16le")],
])("lines that end with %s", (_, bytes) => {
  expect(read(bytes).values).toEqual(expected);
});

test("a file in Windows-1252", () => {
  const text = "INVESTIGATION\nInvestigation Title\tGr\u00f6\u00dfe von T\u00f6pfen\n";
  expect(read(Buffer.from(text, "latin1")).values.title).toBe("Größe von Töpfen");
});

test("comments of MetaboLights: licence with its address, and the ROR id of an institution", () => {
  const text = `INVESTIGATION
Investigation Title\tInvestigation
STUDY
Study Title\tCracks
Comment[License]\tCC0 1.0 Universal
Comment[License URL]\thttps://creativecommons.org/publicdomain/zero/1.0/
STUDY CONTACTS
Study Person Last Name\tToth
Study Person Affiliation\tBrown University
Comment[Study Person Affiliation ROR ID]\thttps://ror.org/05gq02987
Comment[Study Person ORCID]\t0000-0002-1825-0097
`;
  expect(read(text).values).toEqual({
    title: "Cracks",
    license: "CC0-1.0",
    authors: [
      {
        role: "Creator",
        nameType: "Personal",
        lastName: "Toth",
        orcid: "0000-0002-1825-0097",
        affiliation: "Brown University",
        rorid: "https://ror.org/05gq02987",
      },
    ],
  });
});
