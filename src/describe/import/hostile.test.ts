import { describe, expect, test } from "vitest";
import { MAX_METADATA_FILE_BYTES } from "../../../packages/rules/src/index.ts";
import { listed } from "../../../tests/support/listed.ts";
import { Problem } from "../../domain/problems.ts";
import { checkMetadata } from "../metadata/check.ts";
import { type FileKind, fileKinds } from "./file-kinds.ts";
import type { Imported } from "./imported.ts";
import { readMetadataFile } from "./read-metadata-file.ts";

/**
 * Maximum processor time for one file, in microseconds. Each takes less than half a second; quadratic time would be minutes.
 * Elapsed time also depends on other programs.
 */
const MAX_PROCESSOR_TIME = 20e6;

const MANY = 100_000;
const namespace = 'xmlns="http://datacite.org/schema/kernel-4"';
const resource = (content: string) => `<resource ${namespace}>${content}</resource>`;
const isa = (content: string) => `INVESTIGATION\nInvestigation Title\t${content}`;
const crate = (...graph: object[]) => JSON.stringify({ "@graph": graph });
const full = (unit: string, around = 200) => unit.repeat((MAX_METADATA_FILE_BYTES - around) / Buffer.byteLength(unit));

function outcome(kind: FileKind, content: string | Uint8Array): Imported | Problem {
  try {
    return readMetadataFile(kind, Buffer.from(content as string));
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Cases by the kind of file, each with its name. */
type Cases<T extends unknown[]> = Partial<Record<FileKind, [name: string, ...T][]>>;

function rowsOf<T extends unknown[]>(cases: Cases<T>): [name: string, kind: FileKind, ...T][] {
  return fileKinds.flatMap((kind) =>
    (cases[kind] ?? []).map(([name, ...rest]): [string, FileKind, ...T] => [name, kind, ...rest]),
  );
}

/** Each list refers to the previous one ten times. */
const exponential = `a0: &a0 [x]\n${Array.from({ length: 9 }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]\n`).join("")}`;
const malformed: Cases<[content: string | Uint8Array, message: RegExp]> = {
  readme: [
    ["a file that is too large", "a".repeat(MAX_METADATA_FILE_BYTES + 1), /has 2\.0 MiB\. The maximum is 2\.0 MiB/],
    ["binary content", Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 8]), /binary data/],
    ["an image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x1a, 0xff, 0xd8]), /binary data/],
  ],
  "isa-tab": [
    ["UTF-16 without byte order mark", Buffer.from(isa("x"), "utf16le"), /binary data/],
    [
      "ISA-Tab with a quote that is not closed",
      `INVESTIGATION\nInvestigation Title\t"x${full("\ny")}`,
      /line 2\): A double quote/,
    ],
    ["a million ISA-Tab cells", isa(full("\t")), /more than 200,000 cells/],
    ["ISA-Tab without investigation", "a\tb\nc\td\n", /no section/],
  ],
  bids: [
    ["an empty JSON file", "", /line 1, column 1\): .* a value is expected before the end/],
    ["JSON with a bad escape", '{"a": "\\x41"}', /column 7\)/],
    ["JSON with a line break in a text", '{"a": "b\nc"}', /line 1, column 7\)/],
    ["JSON with a word that is no number", '{"a": NaNa}', /column 10\)/],
    ["two JSON documents", "{}\n{}", /line 2, column 1\): .* the end of the file/],
    ["a JSON list", "[]", /object with named values/],
    ["65 levels of JSON", `${"[".repeat(65)}${"]".repeat(65)}`, /column 65\): The file is nested more than 64 levels/],
    ["2 MiB of brackets", full("["), /nested more than 64/],
    ["a million JSON values", `[${full("0,")}0]`, /more than 500,000 values/],
  ],
  "datacite-json": [
    [
      "a JSON file that ends early",
      '{"titles": [\n{"title"',
      /line 2, column 9\): .* a colon is expected before the end/,
    ],
    ["a JSON number", "1", /object with named values/],
  ],
  datapackage: [
    ["JSON with a comment", '{\n  // secret\n  "title": 1}', /line 2, column 3\): .* a name in double quotes/],
  ],
  codemeta: [["JSON with a comma at the end", '{"a": [1,]}', /column 10\): .* a value is expected\.$/]],
  "ro-crate": [
    ["2 MiB of objects", full('{"a":'), /nested more than 64/],
    ["an RO-Crate without graph", "{}", /\/@graph\): .* no list/],
    ["an RO-Crate without root", crate({ "@id": "#a" }), /no root dataset/],
  ],
  "datacite-xml": [
    ["an empty XML file", "", /XML/],
    ["XML of another kind", "<html/>", /no element “resource”/],
    ["XML of kernel 1", '<resource xmlns="http://datacite.org/schema/kernel-1"/>', /kernel 2, 3 or 4/],
    ["XML that is not closed", `<resource ${namespace}>\n<titles>`, /line 2, column \d+\): .* not well-formed/],
    ["an external entity", `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${resource("&x;")}`, /DOCTYPE/],
    ["an external DTD", `<!DOCTYPE r SYSTEM "http://example.org/x.dtd">${resource("")}`, /DOCTYPE/],
    [
      "an exponential entity",
      `<!DOCTYPE r [<!ENTITY a "${"b".repeat(99)}"><!ENTITY c "&a;&a;">]>${resource("&c;")}`,
      /DOCTYPE/,
    ],
    ["an unknown entity", resource("&secret;"), /not well-formed/],
    ["a NUL character in XML", resource("&#0;"), /not well-formed/],
    ["65 levels of XML", resource("<a>".repeat(65)), /nested more than 64/],
    ["2 MiB of XML elements", resource(full("<a/>")), /more than 200,000 elements/],
  ],
  cff: [
    ["exponential YAML aliases", exponential, /too many YAML aliases/],
    ["YAML that is not closed", 'title: "secret\n', /line \d+, column \d+\): The file is not valid YAML\.$/],
    ["YAML with tabs", "authors:\n\t- name: x\n", /not valid YAML/],
    ["a YAML key that is a list", "? [a, b]\n: c\n", /not valid YAML/],
    ["a YAML text", "secret", /object with named values/],
    ["an empty YAML file", "", /object with named values/],
    ["2 MiB of YAML lists in one line", full("- "), /nested more than 64/],
    ["2 MiB of YAML brackets", `title: ${full("[")}`, /nested more than 64/],
    ["2 MiB of YAML entries", full("- a\n"), /more than 100,000 YAML tokens/],
    ["100,000 YAML keys", Array.from({ length: MANY }, (_, index) => `k${index}: 1`).join("\n"), /YAML tokens/],
  ],
};

test.each(rowsOf(malformed))("%s is refused with a clear message", (_, kind, content, message) => {
  const start = process.threadCpuUsage();
  const problem = outcome(kind, content);
  expect(process.threadCpuUsage(start).user).toBeLessThan(MAX_PROCESSOR_TIME);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ code: "metadata_file_invalid", message: expect.stringMatching(message) });
  expect((problem as Problem).message).not.toContain("secret");
  expect((problem as Problem).message.length).toBeLessThan(300);
});

const people = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Carberry ${index}, Josiah` }));
const harmless: Cases<[content: string, values: object]> = {
  bids: [
    ["names of prototypes", '{"__proto__": {"Name": "x"}, "constructor": 1, "Name": "y"}', { title: "y" }],
    ["JSON with NaN", '{"Name": "y", "a": [NaN, -Infinity, "NaN"], "License": NaN}', { title: "y" }],
    ["repeated names", '{"Name": "x", "Name": "y"}', { title: "y" }],
    [
      "half of a surrogate pair and a NUL character",
      '{"Name": "\\ud800", "Acknowledgements": "\\u0000", "License": "MIT"}',
      { license: "MIT" },
    ],
    ["a title that is too long", JSON.stringify({ Name: "x".repeat(2_001) }), {}],
  ],
  cff: [
    ["names of prototypes in YAML", "__proto__: {abstract: x}\nconstructor: 1\ntitle: y\n", { title: "y" }],
    ["a YAML alias", "title: &a x\nabstract: *a\n", { title: "x", description: "x" }],
    ["a YAML alias of a list that contains it", "title: x\nauthors: &a [*a]\n", { title: "x" }],
    ["a YAML merge key", "a: &a {title: x}\n<<: *a\n", {}],
    [
      "quoted YAML that continues at the indentation of its key",
      'title: "A title &\nmore \\"words\\""\nauthors:\n  - name: \'The\n    Team\'\n    alias: x\n',
      { title: 'A title & more "words"', authors: [{ role: "Creator", nameType: "Organizational", name: "The Team" }] },
    ],
    ["repeated keys", "title: x\ntitle: y\n", { title: "y" }],
    ["tags in YAML", "title: !!js/function 'x'\nabstract: !<tag:x> y\n", { title: "x", description: "y" }],
    [
      "an organisation with an ORCID iD",
      "authors: [{name: Team, orcid: 0000-0002-1825-0097}]",
      { authors: [{ role: "Creator", nameType: "Organizational", name: "Team" }] },
    ],
  ],
  "datacite-xml": [
    ["names of prototypes in XML", resource("<__proto__><a/></__proto__><constructor/>"), {}],
    [
      "XML of kernel 2",
      '<resource xmlns="http://datacite.org/schema/kernel-2.2"><titles><title>y</title></titles><rights>MIT</rights></resource>',
      { title: "y", license: "MIT" },
    ],
    ["processing instructions", `<?xml-stylesheet href="http://example.org"?>${resource("")}`, {}],
  ],
  "ro-crate": [
    ["names of prototypes as ids", crate({ "@id": "./", author: { "@id": "constructor" }, name: "y" }), { title: "y" }],
    [
      "a crate whose ids are addresses",
      JSON.stringify({
        "@graph": [
          {
            "@id": "https://example.org/c/ro-crate-metadata.json",
            about: { "@id": "https://example.org/c/" },
            conformsTo: { "@id": "https://w3id.org/ro/crate/1.2" },
          },
          { "@id": "https://example.org/c/", name: "y" },
        ],
      }),
      { title: "y" },
    ],
    [
      "references that form a cycle",
      crate(
        { "@id": "./", name: "y", author: { "@id": "#a" }, isPartOf: { "@id": "./" } },
        { "@id": "#a", name: "A B", affiliation: { "@id": "#a" } },
      ),
      {
        title: "y",
        relatedIdentifiers: [{ relationType: "IsPartOf", citation: "A B: y." }],
        authors: [{ role: "Creator", nameType: "Personal", firstName: "A", lastName: "B", affiliation: "A B" }],
      },
    ],
    [
      "100,000 entities",
      crate({ "@id": "./", name: "y" }, ...Array.from({ length: MANY }, (_, index) => ({ "@id": `${index}` }))),
      { title: "y" },
    ],
  ],
  "datacite-json": [
    [
      "values of other types",
      '{"titles": 1, "creators": {"a": []}, "dates": "x", "subjects": [[null, {}]]}',
      { title: "1" },
    ],
  ],
  readme: [
    [
      "script in HTML",
      "A paragraph with <img src=x onerror=alert(1)>four words",
      { description: "A paragraph with four words" },
    ],
    ["an empty README", "", {}],
  ],
};

test.each(rowsOf(harmless))("%s: harmless", (_, kind, content, values) => {
  const start = process.threadCpuUsage();
  expect((outcome(kind, content) as Imported).values).toEqual(values);
  expect(process.threadCpuUsage(start).user).toBeLessThan(MAX_PROCESSOR_TIME);
  expect(Object.hasOwn(Object.prototype, "Name")).toBe(false);
});

describe("large files", () => {
  const name = "x".repeat(990);
  const shared = Array.from({ length: 100 }, (_, index) => ({ "@id": `#o${index}`, name: `${index} ${name}` }));
  const affiliation = shared.map((one) => ({ "@id": one["@id"] }));
  const invalid = { nameIdentifiers: { nameIdentifier: "0", nameIdentifierScheme: "ORCID" } };
  const cases: [name: string, kind: FileKind, content: string | object][] = [
    ["12,000 authors", "datacite-json", { creators: people(12_000) }],
    ["200,000 keywords", "bids", { Keywords: Array.from({ length: 200_000 }, (_, index) => `${index}`) }],
    [
      "1,000 authors who share 100 institutions",
      "ro-crate",
      crate({ "@id": "./", author: people(1_000).map((one) => ({ ...one, affiliation })) }, ...shared),
    ],
    ["20,000 invalid ORCID iDs", "cff", `authors:\n${"- {family-names: x, orcid: '1'}\n".repeat(20_000)}`],
    ["5,000 invalid authors", "datacite-json", { creators: people(5_000).map((one) => ({ ...one, ...invalid })) }],
    ["a line with 2 MiB", "isa-tab", isa(full("x"))],
  ];
  test.each(cases)("%s", (_, kind, content) => {
    const start = process.threadCpuUsage();
    expectSound(kind, content);
    expect(process.threadCpuUsage(start).user).toBeLessThan(MAX_PROCESSOR_TIME);
  });
});

const units = [
  ...listed`[ | [a]( | <a | <!-- | \`a < | *a | _a | ** | = | " | , | (a | a1, | 10.1234/ | grant 1 | 2026-`,
  ...["# ", "a\n=\n", "\\", " ", "\n", "\r", '"\t', "- ", "&a ", "! ", "|\n", "---\n", "a, ", "; ", "& ", "A. "],
  ...["a and ", "1 BC - "],
];

test.each(units)("2 MiB of %j in every format take linear time", { tags: "extended" }, (unit) => {
  const text = full(unit);
  const part = unit.repeat(50_000);
  const start = process.threadCpuUsage();
  for (const kind of fileKinds) expectSound(kind, text);
  expectSound("cff", `title: ${text}`);
  expectSound("isa-tab", isa(text));
  expectSound("datapackage", { description: part, contributors: [part], sources: [{ path: part }], created: part });
  const several = Array.from({ length: 20 }, () => part.slice(0, 5_000));
  const surrounded = several.map((one) => `a${one}b`);
  for (const value of [part, `a${part}b`, surrounded, several, several.map((one) => one.slice(0, 1_000))]) {
    expectSound("bids", { Name: value, Authors: value, Funding: value, License: value, ReferencesAndLinks: value });
  }
  expectSound("datacite-json", {
    dates: several.map((date) => ({ date, dateType: "Created" })),
    creators: [{ name: part }],
    rightsList: [part],
    language: part,
    geoLocations: { geoLocationPoint: part },
  });
  expectSound("codemeta", {
    description: part,
    license: part,
    keywords: part,
    temporalCoverage: part,
    spatialCoverage: { geo: { box: part, asWKT: part } },
  });
  expect(process.threadCpuUsage(start).user).toBeLessThan(MAX_PROCESSOR_TIME * fileKinds.length);
});

test("20,000 references to few persons with many institutions, and large shared values, take little processor time", () => {
  const refs = (count: number, prefix: string, of = count) =>
    Array.from({ length: count }, (_, index) => ({ "@id": `${prefix}${index % of}` }));
  const named = { "@type": "Person", affiliation: refs(50, "#a") };
  const persons = refs(50, "#p").map((id, index) => ({ ...id, ...named, name: `Josiah${"x".repeat(index)} Carberry` }));
  const institution = { "@type": "Organization" };
  const institutions = refs(50, "#a").map((id, index) => ({ ...id, ...institution, name: `Institute ${index}` }));
  const many = crate({ "@id": "./", author: refs(20_000, "#p", 50) }, ...persons, ...institutions);
  const members = Array.from({ length: 9_000 }, (_, index) => ({ name: `P ${index}`, affiliation: { "@id": "#a0" } }));
  const large = crate({ "@id": "./", author: members }, { "@id": "#a0", name: "x".repeat(900_000) });
  const orcid = { nameIdentifierScheme: "ORCID", nameIdentifier: "0000-0002-1825-0098" };
  const wrong = Array.from({ length: 14_000 }, (_, index) => ({ name: `P, ${index}`, nameIdentifiers: [orcid] }));
  const files = [
    ["ro-crate", many] as const,
    ["ro-crate", large] as const,
    ["datacite-json", { creators: wrong }] as const,
  ];
  for (const [kind, content] of files) {
    // Not the elapsed time, which other programs make longer.
    const start = process.cpuUsage();
    expectSound(kind, content);
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3);
  }
  expect(readMetadataFile("ro-crate", Buffer.from(many)).values.authors).toHaveLength(50);
});

test("a file in Latin-1 is read, with a remark", () => {
  const { values, remarks } = readMetadataFile("bids", Buffer.from('{"Name":"Gerste in K\u00f6ln"}', "latin1"));
  expect(values.title).toBe("Gerste in Köln");
  expect(remarks).toEqual([{ place: "", message: expect.stringContaining("Windows-1252") }]);
});

/** The values, if there are any, pass the check, apart from a missing title and a missing creator. */
function expectSound(kind: FileKind, content: string | object): void {
  const result = outcome(kind, typeof content === "string" ? content : JSON.stringify(content));
  if (result instanceof Problem) {
    expect(result.code).toBe("metadata_file_invalid");
    return;
  }
  const { authors = [] } = result.values;
  const creator = { role: "Creator", lastName: "Carberry" };
  const whole = { title: "Title", ...result.values, authors: [...authors.slice(0, 9_999), creator] };
  expect(checkMetadata(whole).errors).toEqual([]);
  expect(result.remarks.length).toBeLessThanOrEqual(100);
}
