import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withFolder } from "../../../packages/ocfl/tests/support/write-object.ts";
import {
  generatedMetadata,
  maximalNormalized,
  minimalNormalized,
} from "../../../tests/support/archive/generated-metadata.ts";
import { factsOf, references } from "../../../tests/support/archive/sample.ts";
import { lacks, skipNote } from "../../../tests/support/tools.ts";
import { dataciteJson } from "./datacite/datacite.ts";
import { dataciteXml } from "./datacite/datacite-xml.ts";
import { mailtoUri, validUri } from "./iri.ts";
import { uriOfRelation } from "./relation.ts";
import { entitiesOf, rootDataset } from "./ro-crate/ro-crate-entities.ts";

const generated = generatedMetadata(100).map(factsOf);
const maximal = factsOf(maximalNormalized());

describe("DataCite of all members", () => {
  const record = dataciteJson(maximal);

  test("titles, descriptions and subjects state their type and language", () => {
    expect(record.titles).toEqual([
      { title: "Barley root images of the field season" },
      { title: "Gerstenwurzelbilder der Feldsaison", titleType: "TranslatedTitle", lang: "de-AT" },
      { title: "With a view from below", titleType: "Subtitle", lang: "en" },
    ]);
    expect(record.descriptions.map(({ descriptionType }) => descriptionType)).toEqual([
      "Abstract",
      "Methods",
      "TechnicalInfo",
      "TableOfContents",
      "SeriesInformation",
      "Other",
    ]);
    expect(record.descriptions.at(-1)?.description).toBe("Acknowledgements: We thank the gardeners of the greenhouse.");
    expect(record.subjects).toEqual([
      { subject: "rhizotron" },
      {
        subject: "Hordeum vulgare",
        subjectScheme: "AGROVOC",
        schemeUri: "https://aims.fao.org/aos/agrovoc",
        valueUri: "http://aims.fao.org/aos/agrovoc/c_3662",
        classificationCode: "c_3662",
        lang: "la",
      },
    ]);
  });

  test("a person has several affiliations, and a public contact is a contributor", () => {
    expect(record.creators[0]?.affiliation.map(({ name }) => name)).toEqual([
      "Brown University",
      "Leibniz Institute of Plant Genetics",
    ]);
    expect(record.creators[1]).toMatchObject({ name: "Root Imaging Consortium", nameType: "Organizational" });
    expect(record.contributors.at(-1)).toMatchObject({
      name: "Data office of the institute",
      contributorType: "ContactPerson",
    });
  });

  test("related resources with an identifier are relations, and others are items", () => {
    expect(record.relatedIdentifiers).toMatchObject([
      { relationType: "IsVersionOf" },
      { relationType: "IsDescribedBy", relatedIdentifier: "10.1234/roots.2026", resourceTypeGeneral: "JournalArticle" },
      { relationType: "IsDerivedFrom", relatedIdentifierType: "URL" },
    ]);
    expect(record.relatedItems).toEqual([
      {
        titles: [{ title: "Curator A (1998): Soil and light. Printed thesis." }],
        relatedItemType: "Dissertation",
        relationType: "References",
      },
    ]);
  });

  test("type, version, funding, dates, places and licences of parts", () => {
    expect(record).toMatchObject({
      types: { resourceTypeGeneral: "Image", resourceType: "Root photographs" },
      version: "2026.1-rev",
      fundingReferences: [{ funderIdentifierType: "Crossref Funder ID", schemeUri: "https://doi.org/10.13039/" }],
      geoLocations: [
        { geoLocationPlace: "Gatersleben in Saxony-Anhalt", geoLocationPoint: { pointLatitude: 51.8267 } },
      ],
    });
    expect(record.dates.map(({ dateType }) => dateType)).toEqual([
      "Submitted",
      "Available",
      "Collected",
      "Created",
      "Valid",
    ]);
    expect(record.rightsList.map(({ rights }) => rights)).toEqual([
      "Creative Commons Attribution 4.0 International",
      "MIT License (code of the analysis)",
    ]);
    expect(record.alternateIdentifiers.at(-1)?.alternateIdentifier).toBe("PRJEB12345");
  });

  test.skipIf(lacks("xmllint"))(`XML of 100 datasets is valid ${skipNote("xmllint")}`, async () => {
    const all = [maximal, factsOf(minimalNormalized), ...generated];
    await withFolder(async (folder) => {
      const files = all.map((_, index) => join(folder, `${index}.xml`));
      await Promise.all(all.map((facts, index) => writeFile(files[index] ?? "", dataciteXml(facts))));
      const schema = join(import.meta.dirname, "datacite/kernel-4.7/metadata.xsd");
      const run = spawnSync("xmllint", ["--nonet", "--noout", "--schema", schema, ...files], { encoding: "utf8" });
      expect(run.stderr.split("\n").filter((line) => !line.endsWith(" validates") && line !== "")).toEqual([]);
      expect(run.stderr.match(/ validates$/gm)).toHaveLength(all.length);
    });
    const xml = dataciteXml(maximal);
    expect(xml).toContain('<title titleType="TranslatedTitle" xml:lang="de-AT">');
    expect(xml).toContain(
      '<awardNumber awardURI="https://cordis.europa.eu/project/id/101017502">101017502</awardNumber>',
    );
  });
});

/** RFC 3987: no spaces, controls, quotation marks, brackets and single percent signs. */
const IRI = /^(?:[^\s\p{Cc}<>"{}|\\^`%]|%[0-9A-Fa-f]{2})+$/u;

describe("RO-Crate", () => {
  test("every entity has a valid id, is flat, and is referred to, for 100 datasets", () => {
    for (const facts of [maximal, factsOf(minimalNormalized), ...generated]) {
      const graph = [rootDataset(facts, []), ...entitiesOf(facts)];
      const ids = graph.map((entity) => entity["@id"]);
      const named = new Set([...references(graph)]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(ids.slice(1))).toEqual(named);
      expect(ids.filter((id) => !IRI.test(id))).toEqual([]);
      const nested = graph.flatMap((entity) => Object.values(entity).flat());
      expect(nested.filter((value) => typeof value === "object" && Object.keys(value ?? {}).join() !== "@id")).toEqual(
        [],
      );
      expect(nested).not.toContain(undefined);
    }
  });

  test("uses the properties that the specification advises", () => {
    const graph = new Map(entitiesOf(maximal).map((entity) => [entity["@id"], entity]));
    expect(rootDataset(maximal, [])).toMatchObject({
      version: "2026.1-rev",
      alternateName: ["Gerstenwurzelbilder der Feldsaison", "With a view from below"],
      measurementTechnique: "The camera was fixed at a distance of forty centimetres.",
      about: { "@id": "http://aims.fao.org/aos/agrovoc/c_3662" },
      funder: { "@id": "https://doi.org/10.13039/501100000780" },
      funding: { "@id": "https://cordis.europa.eu/project/id/101017502" },
      citation: { "@id": "https://doi.org/10.1234/roots.2026" },
      isBasedOn: { "@id": "https://data.example.org/seeds/17" },
      mentions: { "@id": "#related-2" },
      temporalCoverage: ["2026-05-04/2026-07-27", "2026/2031"],
      additionalType: ["Image", "Root photographs"],
    });
    expect(graph.get("https://doi.org/10.1234/roots.2026")).toMatchObject({
      "@type": "ScholarlyArticle",
      description: "Relation of the dataset to this resource: IsDescribedBy",
    });
    expect(graph.get("#publisher")?.contactPoint).toEqual({ "@id": "mailto:data-office@example.org" });
    expect(graph.get("#area-1")?.box).toBe("51.81 11.21 51.92 11.43");
    expect(graph.get("#licence-1")?.about).toEqual({ "@id": "#part-1" });
  });

  test("organisations and persons that share an id stay distinct", () => {
    const [ror, orcid] = ["https://ror.org/05gq02987", "0000-0002-1825-0097"];
    const department = (lastName: string, affiliation: string) => ({
      role: "Creator",
      lastName,
      affiliation,
      rorid: ror,
    });
    const facts = factsOf({
      ...minimalNormalized,
      authors: [
        { ...department("a", "Botany"), orcid },
        { ...department("b", "Zoology"), orcid },
        department("c", "Zoology"),
        { role: "Creator", nameType: "Organizational", name: "Library", rorid: ror },
      ],
      fundingReferences: [{ funderName: "Fund", funderIdentifier: ror, funderIdentifierType: "ROR" }],
    });
    const graph = [rootDataset(facts, []), ...entitiesOf(facts)];
    const named = (name: string) => graph.filter((entity) => entity.name === name);
    for (const name of ["Zoology", "Library", "Fund"]) {
      expect(named(name)).toMatchObject([{ "@id": `#organization-05gq02987-${name}`, identifier: ror }]);
    }
    expect(named("Botany")).toMatchObject([{ "@id": ror }]);
    expect(named("b")).toMatchObject([
      {
        "@id": `#person-${orcid}-b`,
        identifier: `https://orcid.org/${orcid}`,
        affiliation: { "@id": "#organization-05gq02987-Zoology" },
      },
    ]);
    expect(graph[0]?.author).toContainEqual({ "@id": "#organization-05gq02987-Library" });
  });

  test("an organisation that is described twice is one entity, with the references of both", () => {
    const ror = "https://ror.org/05gq02987";
    const facts = factsOf({
      ...minimalNormalized,
      authors: [
        { role: "Creator", lastName: "x", affiliation: "Institute", rorid: ror },
        { role: "Sponsor", nameType: "Organizational", name: "Institute", rorid: ror, affiliation: "University" },
      ],
      fundingReferences: [{ funderName: "Fund", funderIdentifier: ror, funderIdentifierType: "ROR" }],
    });
    const graph = entitiesOf(facts).filter((entity) => [entity["@id"], entity.identifier].includes(ror));
    expect(graph).toEqual([
      {
        "@id": ror,
        "@type": "Organization",
        name: "Institute",
        url: ror,
        memberOf: { "@id": "#organization-University" },
      },
      { "@id": "#organization-05gq02987-Fund", "@type": "Organization", name: "Fund", url: ror, identifier: ror },
    ]);
    expect(dataciteJson(facts).contributors[0]?.affiliation).toEqual([{ name: "University" }]);
  });
});

test.each([
  ["https://example.org/a?b=c#d", "https://example.org/a?b=c#d"],
  ["https://example.org/%zz[1]|x#a#b", "https://example.org/%25zz%5B1%5D%7Cx#a%23b"],
  ["https://[::1]:8080/x", "https://[::1]:8080/x"],
  ["https://example.org/%C3%BC", "https://example.org/%C3%BC"],
])("%s as a valid URI", (address, uri) => {
  expect(validUri(address)).toBe(uri);
});

test("a mail address as a URI", () => {
  expect(mailtoUri("help+x@example.org")).toBe("mailto:help+x@example.org");
  expect(mailtoUri("a?b#c%d@example.org")).toBe("mailto:a%3Fb%23c%25d@example.org");
});

test.each([
  ["DOI", "10.1234/a b", "https://doi.org/10.1234/a%20b"],
  ["URN", "urn:x:y", "urn:x:y"],
  ["ISBN", "9783161484100", "urn:isbn:9783161484100"],
  ["w3id", "w3id.org/x", "https://w3id.org/x"],
  ["bibcode", "2024A&A...123..456B", undefined],
] as const)("the URI of the %s %s", (relatedIdentifierType, relatedIdentifier, uri) => {
  expect(uriOfRelation({ relatedIdentifierType, relatedIdentifier })).toBe(uri);
});

test("the namespace of the schema is the one that the XML names", () => {
  const schema = readFileSync(join(import.meta.dirname, "datacite/kernel-4.7/metadata.xsd"), "utf8");
  expect(schema).toContain(`targetNamespace="${dataciteJson(maximal).schemaVersion}"`);
});
