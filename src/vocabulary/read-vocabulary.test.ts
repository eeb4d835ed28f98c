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
} from "../../tests/support/vocabulary/samples.ts";
import type { VocabularyKind } from "../domain/vocabulary.ts";
import { openVocabulary } from "./read-vocabulary.ts";

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
    id: "https://ror.org/01aaaaa11",
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
  const many = Array.from({ length: 3_000 }, (_, i) =>
    rorRecord(`r${i}`, [[`Ünïversität 国立大麦 ${i}`, ["ror_display"]]]),
  );
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
    "Name\tIdentifier\tCountry\tAlternative names\nBarley Trust\thttps://ror.org/01aaaaa11\tKenya\tBT; Trust of Barley\n";
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

test("reads CSV with a column for each language", async () => {
  const csv = "uri,skos:prefLabel@en,skos:prefLabel@de\nhttps://v.example.org/1,barley,Gerste\n";
  expect((await read(csv)).entries).toMatchObject([{ label: "barley", alternatives: ["Gerste"] }]);
  expect((await read(csv, { language: "de" })).entries).toMatchObject([{ label: "Gerste", alternatives: ["barley"] }]);
});

const entry = rorRecord("01aaaaa11", [["One", ["ror_display"]]]);
const long = "x".repeat(1_001);
const csv = (row: string) => `name,identifier,country\nGood,https://ror.org/01aaaaa11,Kenya\n${row}\n`;

test.each<[string, string | Buffer, Options, RegExp]>([
  ["an empty file", "", {}, /^The file is empty$/],
  ["white space", " \n\n", {}, /^The file is empty$/],
  ["an empty array", "[]", {}, /no entries/],
  ["a header alone", "name,identifier,country\n", {}, /no entries/],
  ["JSON that ends early", JSON.stringify([entry, entry]).slice(0, -30), {}, /JSON ends early, after entry 1\./],
  [
    "JSON with an error",
    `${JSON.stringify([entry]).slice(0, -1)},{"id" 5}]`,
    {},
    /not valid JSON \(near line 1, after the beginning\): /,
  ],
  ["two JSON texts", `[]\n${JSON.stringify([entry])}`, {}, /not valid JSON|more than one JSON text|no entries/],
  ["numbers", "[1, 2]", {}, /Entry 1 is not a JSON object/],
  ["other JSON", '[{"name": "x"}]', {}, /neither a ROR data dump .* nor JSON-LD/],
  ["an object without a list", '{"id": 1}', {}, /neither an array nor the member “@graph”/],
  ["schema 1 of ROR", '[{"id": "https://ror.org/01aaaaa11", "name": "One"}]', {}, /schema version 1.*\(entry 1\)/],
  ["another entry in ROR", JSON.stringify([entry, { id: 5 }]), {}, /not an organisation of ROR.*\(entry 2\)/],
  ["an identifier twice", JSON.stringify([entry, entry]), {}, /01aaaaa11 occurs twice \(entry 1 and entry 2\)/],
  [
    "a long name",
    JSON.stringify([rorRecord("1", [[long, []]])]),
    {},
    /1,001 characters\. The limit is 1,000 \(entry 1\)/,
  ],
  [
    "half of a surrogate pair",
    '[{"@id":"a:b","@type":"skos:Concept","prefLabel":"\\ud800"}]',
    {},
    /half of a surrogate pair \(entry 1\)/,
  ],
  ["a NUL character", JSON.stringify([rorRecord("1", [["a\0b", []]])]), {}, /control character.*\(entry 1\)/],
  ["ROR as subjects", JSON.stringify([entry]), { kind: "subjects" }, /contains organisations of ROR, not subjects/],
  [
    "SKOS as organisations",
    JSON.stringify(skosExpanded),
    { kind: "organisations" },
    /contains SKOS concepts, not organisations/,
  ],
  ["CSV as organisations", crossrefFunders, { kind: "organisations" }, /not from CSV/],
  ["JSON-LD without concepts", '[{"@id": "a:b", "@type": "ex:Thing"}]', {}, /None of the 1 entries is a SKOS concept/],
  [
    "a relative address",
    '[{"@id": "b", "@type": "skos:Concept", "prefLabel": "b"}]',
    {},
    /“b” is not a complete address.*\(entry 1\)/,
  ],
  ["CSV without an identifier", "name,country\nx,y\n", {}, /no column for the identifier/],
  ["CSV of unclear kind", "name,identifier\nx,y\n", {}, /Add --kind/],
  ["a text file", "Dear operator, this is a letter\nof two lines\n", {}, /no column for the identifier/],
  ["a row with fewer fields", csv("Bad"), {}, /not valid CSV \(line 3\): the row does not have as many fields/],
  [
    "an open quotation mark",
    csv('"Bad,https://ror.org/02bbbbb22,Kenya'),
    {},
    /line \d\): a quotation mark is not closed/,
  ],
  ["a row without a name", csv(",https://ror.org/02bbbbb22,Kenya"), {}, /The name is empty \(line 3\)/],
  ["a row without an identifier", csv("Bad,,Kenya"), {}, /The identifier is empty \(line 3\)/],
  ["a repeated row", csv("Bad,https://ror.org/01aaaaa11,Kenya"), {}, /occurs twice \(line 2 and line 3\)$/],
  ["a row for each language", subjectsCsv, {}, /occurs twice \(line 2 and line 3\).*select one with --language/],
  [
    "Latin-1",
    Buffer.from(csv("Müller,https://ror.org/02bbbbb22,Kenya"), "latin1"),
    {},
    /not valid UTF-8 \(line 3, near byte 62\)/,
  ],
  ["a cut character", Buffer.from(`${csv("x,y,z")}é`).subarray(0, -1), {}, /ends within a character/],
  ["UTF-16", Buffer.from(`\ufeff${crossrefFunders}`, "utf16le"), {}, /UTF-16/],
  ["a ZIP archive", Buffer.from("PK\x03\x04rest of it"), {}, /ZIP archive\. Extract it/],
  ["a cut compressed file", gzipSync(JSON.stringify(ror)).subarray(0, -20), {}, /compressed file ends early/],
  ["a damaged compressed file", damaged(), {}, /compressed file is damaged|not valid JSON/],
])("refuses %s and says where", async (_, content, options, message) => {
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
