import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  crossrefFunders,
  ror,
  rorRecord,
  skosCompacted,
  skosExpanded,
  subjectsCsv,
} from "../../../tests/support/vocabulary/samples.ts";
import { openVocabulary } from "./read-vocabulary.ts";
import type { VocabularyKind } from "./vocabulary.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-vocabulary-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Options {
  kind?: VocabularyKind;
  language?: string;
}

async function read(content: string | Buffer, options: Options = {}) {
  const file = join(folder, "vocabulary");
  await writeFile(file, content);
  const opened = await openVocabulary(file, { ...options, signal: new AbortController().signal });
  const entries = (await Array.fromAsync(opened.batches())).flat();
  return { kind: opened.kind, entries, ...opened.summary(), progress: opened.progress };
}

test("reads the active organisations of a ROR data dump", async () => {
  const { kind, entries, title, skipped, progress } = await read(JSON.stringify(ror, undefined, 4));
  expect([kind, title, skipped]).toEqual(["organisations", "Research Organization Registry (ROR)", 1]);
  expect(progress.bytesRead).toBe(progress.bytesTotal);
  expect(entries).toHaveLength(5);
  expect(entries[0]).toEqual({
    id: "https://ror.org/01aaaaa85",
    label: "Institut für Gerstenforschung",
    acronyms: ["IGF"],
    alternatives: ["Institute for Barley Research"],
    language: "de",
    scheme: "ROR",
    schemeUri: "https://ror.org",
    notation: null,
    city: "Gerstenau",
    country: "Germany",
  });
});

test("reads the funders of a ROR data dump", async () => {
  const { kind, entries } = await read(JSON.stringify(ror), { kind: "funders" });
  expect([kind, entries.map(({ label }) => label)]).toEqual(["funders", ["Gerstenau University"]]);
});

test("reads a compressed file in pieces that cut characters and tokens", async () => {
  const many = Array.from({ length: 3_000 }, (_, i) => rorRecord(i, [[`Ünïversität 国立大麦 ${i}`, ["ror_display"]]]));
  const { entries } = await read(gzipSync(JSON.stringify(many)));
  expect(entries.map(({ label }) => label)).toEqual(many.map((_, i) => `Ünïversität 国立大麦 ${i}`));
});

test("reads the funders that the Crossref registry has not replaced", async () => {
  const { kind, entries, skipped } = await read(crossrefFunders);
  expect([kind, skipped]).toEqual(["funders", 1]);
  expect(entries.map(({ id, label, scheme }) => [id, label, scheme])).toEqual([
    ["https://doi.org/10.13039/100000901", "Barley Foundation", "Crossref Funder ID"],
    ["https://doi.org/10.13039/501100000902", "Fund for Roots, Stems and Leaves", "Crossref Funder ID"],
  ]);
});

test("reads a list of funders with countries and other names", async () => {
  const csv =
    "Name\tIdentifier\tCountry\tAlternative names\nBarley Trust\thttps://ror.org/01aaaaa85\tKenya\tBT; Trust of Barley\n";
  const { entries } = await read(csv);
  expect(entries).toMatchObject([{ scheme: "ROR", country: "Kenya", alternatives: ["BT", "Trust of Barley"] }]);
});

test.each([
  ["expanded", skosExpanded],
  ["compacted", skosCompacted],
])("reads SKOS as %s JSON-LD", async (_, document) => {
  const { kind, entries, schemes, title } = await read(JSON.stringify(document));
  expect([kind, title, schemes]).toEqual(["subjects", "Crops", { "https://vocab.example.org/crops": "Crops" }]);
  expect(entries.map(({ id, label }) => [id, label])).toEqual([
    ["https://vocab.example.org/crops/1", "barley"],
    ["https://vocab.example.org/crops/2", "hulless barley"],
  ]);
  expect(entries[0]).toMatchObject({ language: "en", schemeUri: "https://vocab.example.org/crops" });
  expect(entries[0]?.alternatives).toContain("Gerste");
});

test("prefers labels in the requested language", async () => {
  const { entries, title } = await read(JSON.stringify(skosExpanded), { language: "de" });
  expect([title, ...entries.map(({ label }) => label)]).toEqual(["Nutzpflanzen", "Gerste", "hulless barley"]);
  const csv = await read(subjectsCsv, { language: "de" });
  expect(csv.kind).toBe("subjects");
  expect(csv.entries).toMatchObject([
    {
      ...{ label: "Röntgenbild", alternatives: ["Röntgenaufnahme", "Radiographie"], notation: "M1" },
      ...{ scheme: "Methods", schemeUri: "https://vocab.example.org/methods" },
    },
  ]);
});

const concept = (more: object) => ({ "@id": "ex:1", "@type": "skos:Concept", prefLabel: "barley", ...more });

test("reads labels of several names for one property, each with its language", async () => {
  const label = (language: string | null) => ({ "@id": "skos:prefLabel", "@language": language });
  const context = {
    ex: "https://v.example.org/",
    "@language": "fr",
    labelDe: label("de"),
    labelEn: label("en"),
    plain: label(null),
  };
  const node = { "@id": "ex:1", "@type": "skos:Concept", labelDe: "Gerste", labelEn: ["barley"], plain: "H. vulgare" };
  const { entries } = await read(JSON.stringify({ "@context": context, "@graph": [node] }));
  expect(entries[0]).toMatchObject({ id: "https://v.example.org/1", label: "barley", language: "en" });
  expect(entries[0]?.alternatives).toEqual(["Gerste", "H. vulgare"]);
  const german = await read(JSON.stringify({ "@context": context, "@graph": [node] }), { language: "de" });
  expect(german.entries[0]).toMatchObject({ label: "Gerste", language: "de" });
});

test("reads URNs, and a context at another address after the entries", async () => {
  const graph = [concept({ "@id": "urn:x:1" })];
  const { entries } = await read(JSON.stringify({ "@graph": graph, "@context": "https://v.example.org/context.json" }));
  expect(entries).toMatchObject([{ id: "urn:x:1", label: "barley" }]);
});

test("reads CSV with a column for each language", async () => {
  const csv = "uri,skos:prefLabel@en,skos:prefLabel@de\nhttps://v.example.org/1,barley,Gerste\n";
  expect((await read(csv)).entries).toMatchObject([{ label: "barley", alternatives: ["Gerste"] }]);
  expect((await read(csv, { language: "de" })).entries).toMatchObject([{ label: "Gerste", alternatives: ["barley"] }]);
});

const entry = rorRecord("01aaaaa85", [["One", ["ror_display"]]]);
const long = "x".repeat(1_001);
const csv = (row: string) => `name,identifier,country\nGood,https://ror.org/01aaaaa85,Kenya\n${row}\n`;

test.each<[string, string | Buffer, RegExp, Options?]>([
  ["an empty file", "", /^The file is empty$/],
  ["white space", " \n\n", /^The file is empty$/],
  ["an empty array", "[]", /no entries/],
  ["a header alone", "name,identifier,country\n", /no entries/],
  ["JSON that ends early", JSON.stringify([entry, entry]).slice(0, -30), /JSON ends early, after entry 1\./],
  [
    "JSON with an error",
    `${JSON.stringify([entry]).slice(0, -1)},{"id" 5}]`,
    /not valid JSON \(near line 1, after the beginning\): /,
  ],
  ["two JSON texts", `[]\n${JSON.stringify([entry])}`, /not valid JSON|more than one JSON text|no entries/],
  ["numbers", "[1, 2]", /Entry 1 is not a JSON object/],
  ["other JSON", '[{"name": "x"}]', /neither a ROR data dump .* nor JSON-LD/],
  ["an object without a list", '{"id": 1}', /neither an array nor the member “@graph”/],
  ["schema 1 of ROR", '[{"id": "https://ror.org/01aaaaa85", "name": "One"}]', /schema version 1.*\(entry 1\)/],
  ["another entry in ROR", JSON.stringify([entry, { id: 5 }]), /not an organisation of ROR.*\(entry 2\)/],
  ["an identifier twice", JSON.stringify([entry, entry]), /01aaaaa85 occurs twice \(entry 1 and entry 2\)/],
  ["a long name", JSON.stringify([rorRecord("1", [[long, []]])]), /1,001 characters\. The limit is 1,000 \(entry 1\)/],
  [
    "half of a surrogate pair",
    '[{"@id":"urn:a:b","@type":"skos:Concept","prefLabel":"\\ud800"}]',
    /half of a surrogate pair \(entry 1\)/,
  ],
  ["a NUL character", JSON.stringify([rorRecord("1", [["a\0b", []]])]), /control character.*\(entry 1\)/],
  ["ROR as subjects", JSON.stringify([entry]), /contains organisations of ROR, not subjects/, { kind: "subjects" }],
  [
    "SKOS as organisations",
    JSON.stringify(skosExpanded),
    /contains SKOS concepts, not organisations/,
    { kind: "organisations" },
  ],
  ["CSV as organisations", crossrefFunders, /not from CSV/, { kind: "organisations" }],
  ["JSON-LD without concepts", '[{"@id": "a:b", "@type": "ex:Thing"}]', /None of the 1 entries is a SKOS concept/],
  [
    "a relative address",
    '[{"@id": "b", "@type": "skos:Concept", "prefLabel": "b"}]',
    /“b” is not a complete address.*\(entry 1\)/,
  ],
  [
    "a context after the entries",
    JSON.stringify({
      "@graph": [concept({ "@id": "https://v.example.org/1" })],
      "@context": { ex: "https://v.example.org/" },
    }),
    /“@context” is after the entries\. Move it to the beginning/,
  ],
  ["an undefined prefix", JSON.stringify([concept({})]), /“ex:1” is not a complete address.*\(entry 1\)/],
  ["a script as an address", JSON.stringify([concept({ "@id": "javascript:alert(1)" })]), /not a complete address/],
  [
    "a false ROR id",
    JSON.stringify([rorRecord("ZZZ", [["One", []]])]),
    /“https:\/\/ror\.org\/ZZZ” is not a ROR id.*\(entry 1\)/,
  ],
  ["a ROR id with a wrong checksum", JSON.stringify([rorRecord("01aaaaa11", [["One", []]])]), /checksum \(entry 1\)/],
  [
    "a funder with a text as identifier",
    csv("Bad,not-an-id,Kenya"),
    /“not-an-id” is not a Crossref Funder id.*\(line 3\)/,
  ],
  ["a funder with a script as identifier", csv("Bad,javascript:alert(1),Kenya"), /is not a Crossref.*\(line 3\)/],
  ["a funder with a wrong ISNI", csv("Bad,0000000121032689,Kenya"), /is not a Crossref Funder id.*\(line 3\)/],
  ["a subject with a code as identifier", "uri,prefLabel\nx1,barley\n", /“x1” is not a web address.*\(line 2\)/],
  [
    "a subject with a script as identifier",
    "uri,prefLabel\njavascript:x,barley\n",
    /“javascript:x” is not a web address/,
  ],
  [
    "a script as the address of the scheme",
    "uri,prefLabel,schemeUri\nurn:x:1,barley,javascript:x\n",
    /address of the scheme “javascript:x”.*\(line 2\)/,
  ],
  ["many levels in a member that is not used", gzipSync(`{"x":${"[".repeat(5_000_000)}`), /nested more than 64 levels/],
  ["a long text in such a member", gzipSync(`{"x":"${"y".repeat(1_000_001)}"}`), /text has more than 1,000,000 char/],
  ["a long number in an entry", `[{"id":${"1".repeat(1_001)}}]`, /number has more than 1,000 char.*near line 1/],
  [
    "an entry with many long texts",
    gzipSync(JSON.stringify([{ id: Array(6).fill("y".repeat(900_000)) }])),
    /too large \(entry 1\)/,
  ],
  ["CSV without an identifier", "name,country\nx,y\n", /no column for the identifier/],
  ["CSV of unclear kind", "name,identifier\nx,y\n", /Add --kind/],
  ["a text file", "Dear operator, this is a letter\nof two lines\n", /no column for the identifier/],
  ["a row with fewer fields", csv("Bad"), /not valid CSV \(line 3\): the row does not have as many fields/],
  ["an open quotation mark", csv('"Bad,https://ror.org/02bbbbb60,Kenya'), /line \d\): a quotation mark is not closed/],
  ["a row without a name", csv(",https://ror.org/02bbbbb60,Kenya"), /The name is empty \(line 3\)/],
  ["a row without an identifier", csv("Bad,,Kenya"), /The identifier is empty \(line 3\)/],
  ["a repeated row", csv("Bad,https://ror.org/01aaaaa85,Kenya"), /occurs twice \(line 2 and line 3\)$/],
  ["a row for each language", subjectsCsv, /occurs twice \(line 2 and line 3\).*select one with --language/],
  [
    "Latin-1",
    Buffer.from(csv("Müller,https://ror.org/02bbbbb60,Kenya"), "latin1"),
    /not valid UTF-8 \(line 3, near byte 62\)/,
  ],
  ["a cut character", Buffer.from(`${csv("x,y,z")}é`).subarray(0, -1), /ends within a character/],
  ["Turtle", "# Crops\n\n@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n", /is Turtle.*Convert it to JSON-LD/],
  ["Turtle in the style of SPARQL", "PREFIX : <https://v.example.org/>\n:1 a :Crop .\n", /is Turtle/],
  ["N-Triples", "<https://v.example.org/1> <https://v.example.org/2> <https://v.example.org/3> .\n", /N-Triples/],
  [
    "RDF/XML",
    '<?xml version="1.0"?>\n<!-- Crops -->\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n</rdf:RDF>',
    /is RDF\/XML.*Convert it to JSON-LD/,
  ],
  ["other XML", '<?xml version="1.0"?><crops/>', /is XML, which cannot/],
  ["a web page", "<!DOCTYPE html>\n<html></html>", /web page/],
  ["a binary file", Buffer.from("\x7fELF\x02\x01\x01\0"), /not a text, or it is damaged/],
  ["bzip2", Buffer.from("BZh91AY&SY"), /compressed with bzip2/],
  [
    "a compressed list that is cut in its header",
    gzipSync(crossrefFunders).subarray(0, 30),
    /compressed file ends early/,
  ],
  ["a compressed file of damaged bytes", garbled(), /compressed file is damaged/],
  ["UTF-16", Buffer.from(`\ufeff${crossrefFunders}`, "utf16le"), /UTF-16/],
  ["a ZIP archive", Buffer.from("PK\x03\x04rest of it"), /ZIP archive\. Extract it/],
  ["a cut compressed file", gzipSync(JSON.stringify(ror)).subarray(0, -20), /compressed file ends early/],
  ["a damaged compressed file", damaged(), /compressed file is damaged/],
])("refuses %s and says where", async (_, content, message, options = {}) => {
  await expect(read(content, options)).rejects.toMatchObject({
    name: "InvalidVocabulary",
    message: expect.stringMatching(message),
  });
});

function damaged(): Buffer {
  const whole = gzipSync(JSON.stringify(ror));
  whole.fill(0xff, 40, 60);
  return whole;
}

test("refuses a missing file and a folder", async () => {
  const signal = new AbortController().signal;
  await expect(openVocabulary(join(folder, "none"), { signal })).rejects.toThrow("There is no such file");
  await expect(openVocabulary(folder, { signal })).rejects.toThrow("It is not a file");
});

/** A compressed text that is not CSV, and a damaged checksum at its end. */
function garbled(): Buffer {
  const file = gzipSync("Dear operator, this is a letter\nof two lines\n");
  file.writeUInt32LE(7, file.length - 8);
  return file;
}
