import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import {
  generatedMetadata,
  maximalNormalized,
  minimalNormalized,
} from "../../../tests/support/archive/generated-metadata.ts";
import { exportInputOf, factsOf, sampleUrl } from "../../../tests/support/archive/sample.ts";
import { type NormalizedMetadata, publicMetadata } from "../metadata/normalized.ts";
import { areaWkt } from "./dcat/coverage.ts";
import { METADATA_FORMATS, type MetadataFormatName } from "./formats.ts";
import { Crate } from "./ro-crate/ro-crate.ts";

const names = Object.keys(METADATA_FORMATS) as MetadataFormatName[];
const write = (name: MetadataFormatName, metadata: NormalizedMetadata) =>
  METADATA_FORMATS[name].write(exportInputOf(metadata));
const json = (name: MetadataFormatName, metadata: NormalizedMetadata) => JSON.parse(write(name, metadata));
const crate = (metadata: NormalizedMetadata) => new Crate(factsOf(metadata)).toString({ bytes: 1, sha512: "0" });

const maximal = maximalNormalized();
const generated = [maximal, minimalNormalized, ...generatedMetadata(100)];

describe("personal data", () => {
  const postal = { address: "CANARY-street", zipCode: "CANARY-code", city: "CANARY-city", country: "CANARY-country" };
  const contact = { name: "CANARY-contact", email: "canary-mail@example.org", public: false };
  const secret: NormalizedMetadata = {
    ...maximal,
    authors: maximal.authors.map((author) => ({ ...author, ...postal })),
    contact,
  };

  test.each(names)("%s has no postal data and no contact that is not public", (name) => {
    expect(write(name, secret)).not.toMatch(/canary/i);
    expect(write(name, publicMetadata(secret))).not.toMatch(/canary/i);
  });

  test("nor has the RO-Crate", () => {
    expect(crate(secret)).not.toMatch(/canary/i);
    expect(crate({ ...secret, contact: { ...contact, public: true } })).toMatch(/canary-mail/);
  });
});

test.each(["schema-org", "dcat"] as const)("%s of 100 datasets is JSON-LD with valid IRIs", (name) => {
  const iri = /^(?:[^\s\p{Cc}<>"{}|\\^`%]|%[0-9A-Fa-f]{2})+$/u;
  const wrong: unknown[] = [];
  const visit = (value: unknown): void => {
    if (value === null) wrong.push(value);
    if (typeof value !== "object" || value === null) return;
    for (const [member, inner] of Object.entries(value)) {
      if (member === "@id" && !(iri.test(String(inner)) && URL.canParse(String(inner)))) wrong.push(inner);
      visit(inner);
    }
  };
  for (const metadata of generated) {
    const dataset = json(name, metadata);
    visit(dataset);
    const prefixes = [...JSON.stringify(dataset).matchAll(/"([a-z]+):[A-Za-z]+":/g)].map(([, prefix]) => prefix);
    if (name === "dcat") expect(Object.keys(dataset["@context"])).toEqual(expect.arrayContaining(prefixes));
  }
  expect(wrong).toEqual([]);
});

test("Dublin Core of 100 datasets is well-formed and has its own elements only", () => {
  for (const metadata of generated) {
    const found = new Set<string>();
    const parser = new SaxesParser({ xmlns: true });
    parser.on("opentag", ({ name }) => found.add(name));
    parser.write(write("dublin-core", metadata)).close();
    found.delete("oai_dc:dc");
    for (const name of found) {
      expect(name).toMatch(
        /^dc:(?:title|creator|subject|description|publisher|contributor|date|type|format|identifier|source|language|relation|coverage|rights)$/,
      );
    }
  }
});

test("RIS and BibTeX of 100 datasets keep their form", () => {
  for (const metadata of generated) {
    const lines = write("ris", metadata).split("\r\n").slice(0, -1);
    expect(lines.filter((line) => !/^[A-Z][A-Z0-9] {2}- [^\n\r\u2028]*$/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("ER"))).toHaveLength(1);
    let depth = 0;
    const ends: number[] = [];
    for (const [index, character] of Array.from(write("bibtex", metadata)).entries()) {
      depth += character === "{" ? 1 : character === "}" ? -1 : 0;
      if (character === "}" && depth <= 0) ends.push(index);
    }
    expect([depth, ends.length]).toEqual([0, 1]);
  }
});

test.each(["schema-org", "dcat", "datacite-json", "csl", "bibtex", "ris"] as const)(
  "%s of 100 datasets has no value that is not text",
  (name) => {
    const wrong = /\[object Object\]|: undefined|: null/;
    expect(generated.map((metadata) => write(name, metadata)).filter((text) => wrong.test(text))).toEqual([]);
  },
);

test("DCAT of 100 datasets has resources where DCAT expects them, and texts or typed values elsewhere", () => {
  const resources =
    /^(?:dcterms:(?:accessRights|creator|contributor|publisher|language|license|rights|spatial|temporal|type|relation|source|references|isReferencedBy|isReplacedBy|replaces|conformsTo)|dcat:(?:theme|contactPoint|distribution|accessURL|downloadURL|mediaType|isVersionOf|previousVersion|landingPage)|prov:wasRevisionOf|foaf:homepage|adms:identifier)$/;
  const wrong: unknown[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [member, inner] of Object.entries(value)) {
      const values = [inner].flat();
      const isNode = (one: unknown) => typeof one === "object" && one !== null && !("@value" in one);
      if (resources.test(member)) wrong.push(...values.filter((one) => !isNode(one)).map((one) => [member, one]));
      const isText = /^(?:dcterms:(?:title|description|alternative|identifier|abstract)|foaf:name|rdfs:label)$/;
      if (isText.test(member)) wrong.push(...values.filter(isNode).map((one) => [member, one]));
      for (const one of values) visit(one);
    }
  };
  const embargoed = generated.map((metadata) => ({ ...metadata, embargoDate: "2099-01-01" }));
  for (const metadata of [...generated, ...embargoed]) visit(json("dcat", metadata));
  expect(wrong).toEqual([]);
});

test("DCAT of all members", () => {
  expect(json("dcat", maximal)).toMatchObject({
    "dcterms:alternative": [{ "@language": "de-AT", "@value": "Gerstenwurzelbilder der Feldsaison" }, {}],
    "dcterms:tableOfContents": "One folder for each week, one image for each plant.",
    "dcat:contactPoint": { "vcard:hasEmail": { "@id": "mailto:data-office@example.org" } },
    "dcterms:isReferencedBy": { "@id": "https://doi.org/10.1234/roots.2026" },
    "dcterms:source": { "@id": "https://data.example.org/seeds/17" },
    "dcat:theme": { "@id": "http://aims.fao.org/aos/agrovoc/c_3662", "skos:notation": "c_3662" },
    "dcterms:temporal": { "dcat:startDate": { "@type": "xsd:date", "@value": "2026-05-04" } },
    "dcterms:created": { "@type": "xsd:gYearMonth", "@value": "2026-08" },
    "dcterms:spatial": { "dcat:centroid": { "@type": "geosparql:wktLiteral", "@value": "POINT(11.2799 51.8267)" } },
    "adms:identifier": { "skos:notation": "PRJEB12345" },
    "dcterms:rights": { "@type": "dcterms:RightsStatement", "rdfs:label": "MIT License (code of the analysis)" },
    "schema:funding": { "@type": "schema:Grant", "schema:identifier": "101017502" },
  });
});

test("DCAT of related resources keeps the relations between versions", () => {
  const relatedIdentifiers = [
    { relationType: "IsObsoletedBy", relatedIdentifier: "10.1234/new", relatedIdentifierType: "DOI" },
  ] as const;
  const facts = { ...factsOf({ ...minimalNormalized, relatedIdentifiers: [...relatedIdentifiers] }), versions: [1, 2] };
  const dataset = JSON.parse(METADATA_FORMATS.dcat.write({ facts, query: "", downloads: [] }));
  expect(dataset["dcterms:isReplacedBy"]).toMatchObject([
    { "@id": `${sampleUrl}?version=2` },
    { "@id": "https://doi.org/10.1234/new" },
  ]);
});

test("an area that crosses the 180th meridian has two parts", () => {
  const area = {
    westBoundLongitude: 170,
    eastBoundLongitude: -170,
    southBoundLatitude: -20,
    northBoundLatitude: -10,
  };
  expect(areaWkt(area)).toBe(
    "MULTIPOLYGON(((170 -20, 180 -20, 180 -10, 170 -10, 170 -20)), ((-180 -20, -170 -20, -170 -10, -180 -10, -180 -20)))",
  );
});

test("schema.org of all members has no ids of the crate", () => {
  const dataset = json("schema-org", maximal);
  expect(JSON.stringify(dataset)).not.toContain('"@id":"#');
  expect(dataset).toMatchObject({
    keywords: ["rhizotron", "Hordeum vulgare"],
    citation: { "@type": "ScholarlyArticle", url: "https://doi.org/10.1234/roots.2026" },
    funding: { "@type": "Grant", funder: { name: "European Commission of Examples" } },
    spatialCoverage: { geo: [{ latitude: 51.8267 }, { box: "51.81 11.21 51.92 11.43" }] },
    license: ["https://creativecommons.org/licenses/by/4.0/legalcode", { name: "MIT License" }],
    publisher: { contactPoint: { email: "data-office@example.org" } },
  });
});

test("Dublin Core of all members", () => {
  const text = write("dublin-core", maximal);
  expect(text).toContain('<dc:title xml:lang="de-AT">Gerstenwurzelbilder der Feldsaison</dc:title>');
  expect(text).toContain("<dc:type>Image</dc:type>");
  expect(text).toContain("<dc:coverage>east=11.2799; north=51.8267</dc:coverage>");
  expect(text).toContain("<dc:relation>https://data.example.org/seeds/17</dc:relation>");
  const license = { name: "https://licence.example.org/1", url: "https://licence.example.org/1" };
  const parts = write("dublin-core", { ...minimalNormalized, licenses: [{ license }, { license }] });
  expect(parts.split("https://licence.example.org/1")).toHaveLength(2);
  expect(write("dublin-core", { ...minimalNormalized, title: "&copy; & &#65; &lt;" })).toContain(
    "<dc:title>&amp;copy; &amp; &amp;#65; &amp;lt;</dc:title>",
  );
});

test("citation formats of all members", () => {
  const bibtex = write("bibtex", maximal);
  expect(bibtex).toContain("subtitle = {With a view from below}");
  expect(bibtex).toContain("titleaddon = {Gerstenwurzelbilder der Feldsaison}");
  expect(bibtex).toContain("howpublished = {Root photographs}");
  const ris = write("ris", maximal);
  for (const line of [
    "TT  - Gerstenwurzelbilder der Feldsaison",
    "ET  - 2026.1-rev",
    "M3  - Root photographs",
    "A2  - Curator, Ada",
  ]) {
    expect(ris).toContain(line);
  }
  expect(bibtex).toContain("Data curator: Curator, Ada; Hosting institution: University Library of the Coast");
  const csl = write("csl", maximal);
  for (const text of [bibtex, ris, csl]) {
    expect(text).toContain("Methods: The camera was fixed at a distance of forty centimetres.");
    expect(text).toContain("Is derived from: https://data.example.org/seeds/17");
    expect(text).toContain("Date (Collected): 2026-05-04/2026-07-27, Weekly photographs");
    expect(text).toContain("Place: Gatersleben in Saxony-Anhalt, 51.8267 11.2799, 51.81 11.21 to 51.92 11.43");
    expect(text).toContain("Contact: Data office of the institute, data-office@example.org");
  }
  expect(json("csl", maximal)).toMatchObject({
    type: "graphic",
    genre: "Root photographs",
    version: "2026.1-rev",
    annote: expect.stringContaining("Funding: European Commission of Examples"),
  });
});

test.each(["schema-org", "dcat"] as const)("%s keeps organisations with the same ROR id apart", (name) => {
  const ror = "https://ror.org/05gq02987";
  const organisation = (name: string) => ({ role: "Creator", nameType: "Organizational" as const, name, rorid: ror });
  const dataset = json(name, {
    ...minimalNormalized,
    authors: [organisation("Library"), organisation("Botany"), organisation("Library")],
    fundingReferences: [{ funderName: "Fund", funderIdentifier: ror, funderIdentifierType: "ROR" }],
  });
  const found: [unknown, unknown][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { "@id": id, name: plain, "foaf:name": foaf, "schema:name": schema } = value as Record<string, unknown>;
    if (id === ror || JSON.stringify(Object.values(value)).includes(`"${ror}"`))
      found.push([plain ?? foaf ?? schema, id]);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(dataset);
  const named = found.filter(([one]) => one !== undefined && one !== dataset.name);
  expect(named).toEqual([
    ["Library", ror],
    ["Botany", undefined],
    ["Library", ror],
    ["Fund", undefined],
  ]);
});
