import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withFolder } from "../../../../packages/ocfl/tests/support/write-object.ts";
import { hostileFacts, POSTAL, sampleFacts } from "../../../../tests/support/archive/sample.ts";
import { lacks, skipNote } from "../../../../tests/support/tools.ts";
import { dataciteJson } from "./datacite.ts";
import { dataciteXml } from "./datacite-xml.ts";

test("a full record contains all submitted metadata", () => {
  const record = dataciteJson(sampleFacts({}, { mediaTypes: ["text/csv"] }));
  expect(record.titles[0], "the language of the data is not that of the title").not.toHaveProperty("lang");
  expect(record).toMatchObject({
    identifiers: [{ identifier: "urn:uuid:7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11", identifierType: "URN" }],
    types: { resourceTypeGeneral: "Dataset" },
    titles: [{ title: "Barley phenotypes" }],
    publisher: { name: "Example Archive" },
    alternateIdentifiers: [
      {
        alternateIdentifier: "https://data.example.org/dataset/7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11?version=1",
        alternateIdentifierType: "URL",
      },
    ],
    formats: ["text/csv"],
    publicationYear: "2026",
    sizes: ["2 files", "30 bytes"],
    version: "1",
    language: "en",
    schemaVersion: "http://datacite.org/schema/kernel-4",
  });
  expect(record.creators).toEqual([
    {
      name: "Carberry, Josiah",
      nameType: "Personal",
      givenName: "Josiah",
      familyName: "Carberry",
      nameIdentifiers: [
        {
          nameIdentifier: "https://orcid.org/0000-0002-1825-0097",
          nameIdentifierScheme: "ORCID",
          schemeUri: "https://orcid.org",
        },
      ],
      affiliation: [
        {
          name: "Brown University",
          affiliationIdentifier: "https://ror.org/05gq02987",
          affiliationIdentifierScheme: "ROR",
          schemeUri: "https://ror.org",
        },
      ],
    },
  ]);
  expect(record.rightsList[0]).toMatchObject({ rightsIdentifier: "CC-BY-4.0", rightsIdentifierScheme: "SPDX" });
});

test("an organisation is identified by its ROR id and is not affiliated with itself", () => {
  const ror = "https://ror.org/05gq02987";
  const authors = [
    { role: "Creator", lastName: "Curie" },
    { role: "Sponsor", affiliation: "Brown University", rorid: ror },
    { role: "HostingInstitution", affiliation: "An Institute" },
  ];
  const { contributors } = dataciteJson(sampleFacts({ authors }));
  const nameIdentifiers = [{ nameIdentifier: ror, nameIdentifierScheme: "ROR", schemeUri: "https://ror.org" }];
  expect(contributors).toMatchObject([
    { name: "Brown University", nameType: "Organizational", nameIdentifiers, affiliation: [] },
    { name: "An Institute", nameType: "Organizational", nameIdentifiers: [], affiliation: [] },
  ]);
});

const FULL = {
  version: 2,
  versions: [1, 2, 3],
  mediaTypes: ["text/csv", "image/png"],
  publisher: { name: "P", url: "https://p.example.org/", email: "p@example.org", ror: "https://ror.org/05gq02987" },
};

test("the publisher is identified, and versions refer to each other", () => {
  const record = dataciteJson(sampleFacts({}, FULL));
  expect(record.publisher).toEqual({
    name: "P",
    publisherIdentifier: "https://ror.org/05gq02987",
    publisherIdentifierScheme: "ROR",
    schemeUri: "https://ror.org",
  });
  expect(record.relatedIdentifiers.map(({ relationType }) => relationType)).toEqual([
    "IsVersionOf",
    "IsNewVersionOf",
    "IsPreviousVersionOf",
  ]);
});

test("a service without a public address leaves no local address in the archive", () => {
  const facts = sampleFacts({}, { url: undefined, version: 2 });
  expect(dataciteJson(facts)).toMatchObject({ alternateIdentifiers: [], relatedIdentifiers: [] });
  expect(dataciteXml(facts)).not.toContain("undefined");
});

test("roles that DataCite does not define become Other", () => {
  const kinds = dataciteJson(sampleFacts()).contributors.map(({ contributorType, name }) => [contributorType, name]);
  expect(kinds).toEqual([
    ["DataCurator", "Curie"],
    ["Translator", "Ada"],
    ["Other", "An Institute"],
    ["Other", "Merlin"],
  ]);
});

test("postal addresses are not included", () => {
  const text = JSON.stringify(dataciteJson(sampleFacts())) + dataciteXml(sampleFacts());
  for (const secret of POSTAL) expect(text).not.toContain(secret);
});

test("an embargo changes the date of availability, and not the publication year", () => {
  const record = dataciteJson(sampleFacts({ embargoDate: "2029-03-01" }));
  expect(record.publicationYear).toBe("2026");
  expect(record.dates).toEqual([
    { date: "2026-11-20", dateType: "Submitted" },
    { date: "2029-03-01", dateType: "Available" },
  ]);
  const publication = { issued: "2027-01-15", available: "2028-03-01" };
  const published = dataciteJson(sampleFacts({ embargoDate: "2029-03-01" }, { publication }));
  expect(published.publicationYear).toBe("2027");
  expect(published.dates).toEqual([
    { date: "2026-11-20", dateType: "Submitted" },
    { date: "2027-01-15", dateType: "Issued" },
    { date: "2028-03-01", dateType: "Available" },
  ]);
});

test("missing values have their standard text", () => {
  const facts = sampleFacts();
  const { description: _, license: __, ...metadata } = facts.metadata;
  const record = dataciteJson({ ...facts, metadata });
  expect(record.descriptions[0]?.description).toBe("Dataset Barley phenotypes, no description given");
  expect(record.rightsList).toEqual([{ rights: "No licence stated; all rights reserved" }]);
});

describe.skipIf(lacks("xmllint"))(`XML against DataCite's schema ${skipNote("xmllint")}`, () => {
  function validate(xml: string): Promise<string> {
    return withFolder(async (folder) => {
      const file = join(folder, "datacite.xml");
      await writeFile(file, xml);
      const schema = join(import.meta.dirname, "kernel-4.7/metadata.xsd");
      const run = spawnSync("xmllint", ["--nonet", "--noout", "--schema", schema, file], { encoding: "utf8" });
      return run.error === undefined ? run.stderr.replaceAll(file, "xml").trim() : String(run.error);
    });
  }

  test("a full and a bare record are valid", async () => {
    expect(await validate(dataciteXml(sampleFacts()))).toBe("xml validates");
    const full = dataciteXml(sampleFacts({}, FULL));
    expect(await validate(full)).toBe("xml validates");
    expect(full).toContain(
      '<publisher publisherIdentifier="https://ror.org/05gq02987" publisherIdentifierScheme="ROR"',
    );
    expect(full).toContain("<format>image/png</format>");
    expect(full).toContain('relationType="IsPreviousVersionOf"');
    const bare = sampleFacts();
    bare.metadata = { title: "t", authors: [{ role: "Creator", lastName: "x" }], subjects: [] };
    expect(await validate(dataciteXml(bare))).toBe("xml validates");
  });

  test("hostile metadata result in valid XML that omits only characters that XML forbids", async () => {
    const xml = dataciteXml(hostileFacts());
    expect(await validate(xml)).toBe("xml validates");
    expect(xml).toContain("&lt;script&gt;");
    expect(xml).toContain("😀");
    expect(xml).not.toMatch(/[\u0000-\u0008\ufffe\uffff]/);
  });

  test("any texts are valid", async () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, text, async (title, name) => {
        const facts = sampleFacts({ title, subjects: [name], authors: [{ role: "Creator", lastName: name }] });
        expect(await validate(dataciteXml(facts))).toBe("xml validates");
      }),
      { numRuns: 25 },
    );
  });

  test("the schema refuses a record without a creator", async () => {
    const xml = dataciteXml(sampleFacts({ authors: [] }));
    expect(await validate(xml)).toContain("fails to validate");
  });
});
