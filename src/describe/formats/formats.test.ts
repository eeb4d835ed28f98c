import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { hostileFacts, POSTAL, sampleFacts, sampleUrl } from "../../../tests/support/archive/sample.ts";
import type { VersionFacts } from "../version-facts.ts";
import type { ExportInput } from "./export-input.ts";
import { METADATA_FORMATS, type MetadataFormatName } from "./formats.ts";

const described = (facts: VersionFacts): ExportInput => ({
  facts: { ...facts, url: sampleUrl },
  query: "",
  downloads: [{ url: "https://data.example.org/x.zip", name: "Bag", mediaType: "application/zip", profile: "urn:p" }],
});
const names = Object.keys(METADATA_FORMATS) as MetadataFormatName[];
const write = (name: MetadataFormatName, facts = sampleFacts()) => METADATA_FORMATS[name].write(described(facts));
const json = (name: MetadataFormatName, facts = sampleFacts()) => JSON.parse(write(name, facts));

test.each(names)("%s has the title, the creator and no postal address", (name) => {
  const text = write(name);
  expect(text).toContain("Barley phenotypes");
  expect(text).toContain("Carberry");
  for (const secret of POSTAL) expect(text).not.toContain(secret);
});

test.each(names)("%s of metadata without optional members", (name) => {
  const facts = sampleFacts();
  facts.metadata = { title: "t", authors: [{ role: "Creator", lastName: "x" }], subjects: [] };
  expect(write(name, facts)).not.toMatch(/undefined|null|\[object/);
});

test.each(names.filter((name) => METADATA_FORMATS[name].mediaType.endsWith("json")))(
  "%s of hostile metadata",
  (name) => {
    expect(() => json(name, hostileFacts())).not.toThrow();
  },
);

test.each(["datacite-xml", "dublin-core"] as const)("%s of hostile metadata is well-formed", (name) => {
  const parser = new SaxesParser({ xmlns: true });
  const texts: string[] = [];
  parser.on("text", (text) => texts.push(text));
  parser.write(write(name, hostileFacts())).close();
  expect(texts.some((text) => text.includes('<script>alert("x")</script> ]]> &'))).toBe(true);
});

test("BibTeX", () => {
  expect(write("bibtex")).toBe(`@misc{carberry2026-7f3c9c1e-v1,
  author = {Carberry, Josiah},
  title = {{Barley phenotypes}},
  year = {2026},
  month = {11},
  publisher = {Example Archive},
  howpublished = {Dataset},
  version = {1},
  url = {https://data.example.org/dataset/7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11?version=1},
  note = {urn:uuid:7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11},
  language = {en},
  keywords = {barley, phenotyping},
  copyright = {Creative Commons Attribution 4.0},
  abstract = {Heights and weights of barley plants over a season},
  annote = {Data curator: Curie; Translator: Ada; Contributor: An Institute; Chief Wizard: Merlin}
}
`);
});

test("BibTeX of LaTeX commands, and of names that it would split", () => {
  const title = "50% of {A_1} \\input{x} & #2 ~ $y^2$ }{ \n@misc{z,";
  const text = write(
    "bibtex",
    sampleFacts({
      title,
      authors: [
        { role: "Creator", firstName: "Anne", lastName: "Simon and Son, Ltd" },
        { role: "Creator", affiliation: "Institute of A and B" },
      ],
    }),
  );
  expect(text).toContain(
    "title = {{50\\% of \\textbraceleft{}A\\_1\\textbraceright{} \\textbackslash{}input\\textbraceleft{}x\\textbraceright{} \\& \\#2 \\textasciitilde{} \\$y\\textasciicircum{}2\\$ \\textbraceright{}\\textbraceleft{} @misc\\textbraceleft{}z,}}",
  );
  expect(text).toContain("author = {{Simon and Son, Ltd}, Anne and {Institute of A and B}}");
  for (const facts of [sampleFacts({ title }), hostileFacts()]) {
    let depth = 0;
    for (const character of write("bibtex", facts).slice(0, -3)) {
      depth += character === "{" ? 1 : character === "}" ? -1 : 0;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(1);
  }
});

test("RIS has one tag on each line, for any text", () => {
  const text = write("ris", sampleFacts({ title: "one\nER  - \r\nTY  - BOOK\u2028x", description: "a\u0000b" }));
  const lines = text.split("\r\n").slice(0, -1);
  expect(lines[0]).toBe("TY  - DATA");
  expect(lines.at(-1)).toBe("ER  - ");
  for (const line of lines) expect(line).toMatch(/^[A-Z][A-Z0-9] {2}- [^\n\r\u2028]*$/);
  expect(lines).toContain("TI  - one ER - TY - BOOK x");
  expect(lines.filter((line) => line.startsWith("ER"))).toHaveLength(1);
});

describe("before publication", () => {
  const doi = "10.5072/abcd2345";
  const cited = (name: "bibtex" | "ris" | "csl", reservedDoi?: string) =>
    METADATA_FORMATS[name].write({ ...described(sampleFacts()), unpublished: { reservedDoi } });

  test.each(["bibtex", "ris", "csl"] as const)("%s has no address, and a reserved DOI only if there is one", (name) => {
    for (const text of [cited(name), cited(name, doi)]) expect(text).not.toContain(sampleUrl);
    expect(cited(name)).not.toContain("10.5072");
  });

  test("BibTeX", () => {
    expect(cited("bibtex")).toContain("  version = {1},\n  note = {Not published yet},\n");
    expect(cited("bibtex", doi)).toContain(`  doi = {${doi}},\n  note = {Not published yet},\n`);
  });

  test("RIS", () => {
    expect(cited("ris")).toContain("N1  - Not published yet\r\n");
    expect(cited("ris", doi)).toContain(`DO  - ${doi}\r\n`);
  });

  test("CSL-JSON", () => {
    expect(JSON.parse(cited("csl"))).toMatchObject({ status: "Not published yet" });
    expect(JSON.parse(cited("csl", doi))).toMatchObject({ status: "Not published yet", DOI: doi });
  });
});

test("CSL-JSON", () => {
  expect(json("csl")).toMatchObject({
    id: `${sampleUrl}?version=1`,
    URL: `${sampleUrl}?version=1`,
    type: "dataset",
    author: [{ family: "Carberry", given: "Josiah" }],
    issued: { "date-parts": [[2026, 11, 20]] },
    publisher: "Example Archive",
  });
});

test.each([
  [undefined, "DATA", "dataset"],
  ["Software", "COMP", "software"],
  ["ComputationalNotebook", "COMP", "software"],
  ["Text", "GEN", "document"],
  ["Image", "FIGURE", "graphic"],
  ["Audiovisual", "VIDEO", "motion_picture"],
  ["Report", "RPRT", "report"],
  ["JournalArticle", "JOUR", "article-journal"],
] as const)("the type %s is %s in RIS and %s in CSL", (resourceTypeGeneral, risType, cslType) => {
  const facts = sampleFacts(resourceTypeGeneral === undefined ? {} : { resourceTypeGeneral });
  expect(write("ris", facts)).toMatch(new RegExp(`^TY  - ${risType}\r\n`));
  expect(json("csl", facts)).toMatchObject({ type: cslType });
  expect(write("bibtex", facts)).toContain(`howpublished = {${resourceTypeGeneral ?? "Dataset"}}`);
});

test("keywords with commas stay whole", () => {
  const facts = sampleFacts({ subjects: ["Diabetes Mellitus, Type 2", "wheat"] });
  expect(write("ris", facts)).toContain("KW  - Diabetes Mellitus, Type 2\r\nKW  - wheat\r\n");
  expect(json("csl", facts)).toMatchObject({ keyword: "Diabetes Mellitus, Type 2; wheat" });
  expect(write("bibtex", facts)).toContain("keywords = {{Diabetes Mellitus, Type 2}, wheat}");
});

test("schema.org and DCAT name people by their ORCID, and state where the files are", () => {
  expect(json("schema-org")).toMatchObject({
    "@type": "Dataset",
    license: "https://creativecommons.org/licenses/by/4.0/",
    creator: [{ "@id": "https://orcid.org/0000-0002-1825-0097", affiliation: { "@id": "https://ror.org/05gq02987" } }],
    distribution: [{ contentUrl: "https://data.example.org/x.zip", encodingFormat: "application/zip" }],
  });
  expect(json("dcat")).toMatchObject({
    "@type": "dcat:Dataset",
    "dcterms:license": { "@id": "https://creativecommons.org/licenses/by/4.0/" },
    "dcterms:creator": [{ "@id": "https://orcid.org/0000-0002-1825-0097", "foaf:name": "Carberry, Josiah" }],
    "dcterms:title": "Barley phenotypes",
  });
});

test("an embargo is stated", () => {
  const facts = sampleFacts({ embargoDate: "2029-03-01" });
  expect(json("schema-org", facts)).toMatchObject({
    datePublished: "2026-11-20",
    conditionsOfAccess: "Under embargo until 2029-03-01",
  });
  expect(write("bibtex", facts)).toContain("year = {2026}");
  expect(json("dcat", facts)["dcterms:available"]["@value"]).toBe("2029-03-01");
});

test.each([
  ["open", true, ["c_abf2"], "PUBLIC"],
  ["embargoed", false, ["c_f1cf", "Under embargo until 2029-03-01"], "RESTRICTED"],
  ["restricted", false, ["c_16ec", "Restricted: readers can ask for access"], "RESTRICTED"],
] as const)(
  "access to a published version is stated, by the terms of COAR and of the European Union: %s",
  (access, isFree, conditions, term) => {
    const facts = { ...sampleFacts(access === "embargoed" ? { embargoDate: "2029-03-01" } : {}), access };
    const { isAccessibleForFree, conditionsOfAccess } = json("schema-org", facts);
    const [coar, ...words] = conditions;
    expect([isAccessibleForFree, [conditionsOfAccess].flat()]).toEqual([
      isFree,
      [`http://purl.org/coar/access_right/${coar}`, ...words],
    ]);
    const rights = [json("dcat", facts)["dcterms:accessRights"]].flat();
    expect(rights.map((one: { "@id"?: string }) => one["@id"])).toContain(
      `http://publications.europa.eu/resource/authority/access-right/${term}`,
    );
  },
);

describe("two versions of a dataset", () => {
  const of = (version: number) => sampleFacts({}, { version, versions: [1, 2] });

  test.each(names)("%s of an older version names the address of that version", (name) => {
    const text = write(name, of(1));
    expect(text).toContain(`${sampleUrl}?version=1`);
    const isRelation = /(?:IsPreviousVersionOf|isReplacedBy)/.test(text);
    expect(text.includes("?version=2")).toBe(isRelation);
  });

  test("have different BibTeX keys and CSL ids", () => {
    const key = (version: number) => /@misc\{([^,]+),/.exec(write("bibtex", of(version)))?.[1];
    expect([key(1), key(2)]).toEqual(["carberry2026-7f3c9c1e-v1", "carberry2026-7f3c9c1e-v2"]);
    expect(json("csl", of(1)).id).not.toBe(json("csl", of(2)).id);
  });

  test("refer to the nearest version that may be named", () => {
    const facts = (version: number) => sampleFacts({}, { version, versions: [1, 3] });
    const named = (version: number) =>
      json("datacite-json", facts(version)).relatedIdentifiers.map(
        ({ relatedIdentifier }: Record<string, string>) => relatedIdentifier,
      );
    expect([1, 3].map(named)).toEqual([
      [sampleUrl, `${sampleUrl}?version=3`],
      [sampleUrl, `${sampleUrl}?version=1`],
    ]);
    expect(json("dcat", facts(3))["dcat:previousVersion"]).toEqual({ "@id": `${sampleUrl}?version=1` });
    expect(json("datacite-json", sampleFacts({}, { version: 2 })).relatedIdentifiers).toHaveLength(1);
  });

  test("refer to each other in DataCite and DCAT", () => {
    const relations = (version: number) =>
      json("datacite-json", of(version)).relatedIdentifiers.map(
        ({ relationType, relatedIdentifier }: Record<string, string>) => [relationType, relatedIdentifier],
      );
    expect(relations(1)).toEqual([
      ["IsVersionOf", sampleUrl],
      ["IsPreviousVersionOf", `${sampleUrl}?version=2`],
    ]);
    expect(relations(2)).toEqual([
      ["IsVersionOf", sampleUrl],
      ["IsNewVersionOf", `${sampleUrl}?version=1`],
    ]);
    expect(json("dcat", of(2))).toMatchObject({
      "@id": `${sampleUrl}?version=2`,
      "dcat:isVersionOf": { "@id": sampleUrl },
      "dcat:previousVersion": { "@id": `${sampleUrl}?version=1` },
      "prov:wasRevisionOf": { "@id": `${sampleUrl}?version=1` },
    });
    expect(json("dcat", of(1))).not.toHaveProperty(["prov:wasRevisionOf"]);
  });
});

describe("names with commas", () => {
  const written = (lastName: string | undefined, firstName: string | undefined) => {
    const author = { role: "Creator", ...(lastName && { lastName }), ...(firstName && { firstName }) };
    const facts = sampleFacts({ authors: [author] });
    const [, ris = ""] = /^AU {2}- (.*)\r$/m.exec(write("ris", facts)) ?? [];
    const [, bibtex] = /^ {2}author = \{(.*)\},$/m.exec(write("bibtex", facts)) ?? [];
    // RIS: family name, given names, suffix.
    return { ris: ris.split(",").map((part) => part.trim()), bibtex, csl: json("csl", facts).author[0] };
  };

  test.each([
    ["King, Jr.", "Martin Luther", ["King", "Martin Luther", "Jr."], "King, Jr., Martin Luther"],
    ["King", "Martin Luther, Jr.", ["King", "Martin Luther", "Jr."], "King, Jr., Martin Luther"],
    ["Windsor,III", "Charles", ["Windsor", "Charles", "III"], "Windsor, III, Charles"],
    ["von Humboldt", "Alexander", ["von Humboldt", "Alexander"], "von Humboldt, Alexander"],
    ["von Braun, Sr.", "Magnus", ["von Braun", "Magnus", "Sr."], "von Braun, Sr., Magnus"],
    ["Simon and Son, Ltd", "Anne", ["Simon and Son Ltd", "Anne"], "{Simon and Son, Ltd}, Anne"],
    ["a, b, c, Jr.", "d, e", ["a b c", "d e", "Jr."], "{a, b, c}, Jr., {d, e}"],
    ["King, Jr.", undefined, ["King", "", "Jr."], "{King, Jr.}"],
    ["Smith, Jr., PhD", "Ann", ["Smith", "Ann", "Jr. PhD"], "Smith, {Jr., PhD}, Ann"],
    ["King, Jr.", "Martin, PhD", ["King", "Martin", "Jr. PhD"], "King, {Jr., PhD}, Martin"],
    ["Jr.", "Davy", ["Jr.", "Davy"], "Jr., Davy"],
    ["Plato", undefined, ["Plato"], "{Plato}"],
  ])("%s; %s", (family, given, ris, bibtex) => {
    expect(written(family, given)).toMatchObject({ ris, bibtex });
  });

  test("a suffix is a separate member in CSL-JSON", () => {
    expect(written("King, Jr.", "Martin Luther").csl).toEqual({
      family: "King",
      given: "Martin Luther",
      suffix: "Jr.",
      "comma-suffix": true,
    });
  });

  test("an organisation is a single name in RIS", () => {
    const authors = [{ role: "Creator", affiliation: "University of Examples, Department of X, Jr." }];
    expect(write("ris", sampleFacts({ authors }))).toContain("AU  - University of Examples Department of X Jr.\r\n");
  });
});

test("texts do not have the language tag of the data", () => {
  expect(json("dcat", sampleFacts({ language: "de" }))).toMatchObject({
    "dcterms:title": "Barley phenotypes",
    "dcterms:language": { "@id": "http://id.loc.gov/vocabulary/iso639-1/de", "rdfs:label": "de" },
  });
});

test("the publisher has a page, a contact and an identifier", () => {
  const publisher = {
    name: "P",
    url: "https://p.example.org/",
    email: "help@example.org",
    ror: "https://ror.org/05gq02987",
  };
  const facts = sampleFacts({}, { publisher });
  expect(json("schema-org", facts).publisher).toEqual({
    "@type": "Organization",
    "@id": publisher.ror,
    name: "P",
    url: publisher.url,
    contactPoint: { "@type": "ContactPoint", email: publisher.email },
  });
  expect(json("dcat", facts)).toMatchObject({
    "dcterms:publisher": { "@id": publisher.ror, "foaf:homepage": { "@id": publisher.url } },
    "dcat:contactPoint": { "vcard:hasEmail": { "@id": `mailto:${publisher.email}` } },
  });
});
