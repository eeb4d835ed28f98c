import { readFileSync } from "node:fs";
import { dataciteJson } from "../../src/describe/formats/datacite/datacite.ts";
import { METADATA_FORMATS, type MetadataFormatName } from "../../src/describe/formats/formats.ts";
import { entitiesOf, rootDataset } from "../../src/describe/formats/ro-crate/ro-crate-entities.ts";
import { checkMetadata } from "../../src/describe/metadata/check.ts";
import { readFieldSchema } from "../../src/describe/metadata/fields/read-schema.ts";
import type { NormalizedMetadata } from "../../src/describe/metadata/normalized.ts";
import { Metadata } from "../../src/describe/metadata/schema.ts";
import type { VersionFacts } from "../../src/describe/version-facts.ts";
import { maximalMetadata } from "../../tests/support/archive/maximal.ts";
import { sampleFacts } from "../../tests/support/archive/sample.ts";

/** A property of a format, and a value that it has. */
type Occurrence = [property: string, value: string];

/** A format of the tables: its name, and all property values of an export. */
interface Format {
  name: string;
  occurrences(facts: VersionFacts): Occurrence[];
}

const URL_ = "https://data.example.org/dataset/7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11";

/** Values of fields of docs/examples/miappe.json; one of them names a variable. */
const OWN_FIELDS = { miappe: { organisms: ["Hordeum spontaneum"], observedVariables: ["Depth of the roots"] } };

/** The formats of the tables. DataCite XML has the same content as DataCite JSON. */
export const formats: readonly Format[] = [
  { name: "DataCite", occurrences: (facts) => leaves(dataciteJson(facts)) },
  {
    name: "RO-Crate",
    occurrences: (facts) =>
      [rootDataset(facts, []), ...entitiesOf(facts)].flatMap((entity) =>
        Object.entries(entity).flatMap(([name, value]) => leaves(value, `${entity["@type"]}.${name}`)),
      ),
  },
  { name: "schema.org", occurrences: (facts) => leaves(JSON.parse(written("schema-org", facts))) },
  { name: "DCAT", occurrences: (facts) => leaves(JSON.parse(written("dcat", facts))) },
  { name: "Dublin Core", occurrences: elementsOfDublinCore },
  { name: "BibTeX", occurrences: (facts) => matches(written("bibtex", facts), /^ {2}(\w+) = \{(.*)\},?$/gm) },
  { name: "RIS", occurrences: (facts) => matches(written("ris", facts), /^([A-Z][A-Z0-9]) {2}- (.*)\r$/gm) },
  { name: "CSL-JSON", occurrences: (facts) => leaves(JSON.parse(written("csl", facts))) },
];

/**
 * For every member of the metadata, the properties of each format that contain its value. Each member gets values that
 * occur nowhere else; the properties that then contain them are its places.
 */
export function placesOf(): Map<string, Record<string, string[]>> {
  const schema = readFileSync("docs/examples/miappe.json", "utf8");
  const { normalized } = checkMetadata(
    { ...maximalMetadata, fields: OWN_FIELDS },
    { groups: [readFieldSchema("miappe", schema)] },
  );
  if (normalized === undefined) throw new Error("The maximal metadata has errors");
  const before = formats.map(({ occurrences }) => occurrences(sampleFacts(normalized)));
  const members = new Map<string, Record<string, string[]>>();
  for (const path of memberPaths(Metadata)) {
    const marked = new Set<string>();
    const changed = sampleFacts(withMarks(normalized, path.split("."), marked) as NormalizedMetadata);
    const places = formats.map(({ name, occurrences }, index) => [
      name,
      increased(before[index] ?? [], occurrences(changed), [...marked]),
    ]);
    members.set(path.replaceAll(".[]", "[]"), Object.fromEntries(places));
  }
  return members;
}

/** Paths of all members that contain no other member: `titles.[].language`. */
function memberPaths(schema: { properties?: object; items?: object }, path: string[] = []): string[] {
  const { properties, items } = schema;
  if (items !== undefined) return memberPaths(items, [...path, "[]"]);
  // Members of the operator's fields are not part of the schema.
  if (properties === undefined || Object.keys(properties).length === 0) return [path.join(".")];
  return Object.entries(properties).flatMap(([name, member]) => memberPaths(member, [...path, name]));
}

/** The properties that contain one of the values more often than before. */
function increased(before: Occurrence[], after: Occurrence[], values: string[]): string[] {
  const count = (occurrences: Occurrence[], property: string) =>
    occurrences
      .filter(([name]) => name === property)
      .flatMap(([, text]) => values.map((value) => text.split(value).length - 1))
      .reduce((sum, one) => sum + one, 0);
  const properties = [...new Set(after.map(([property]) => property))];
  return properties.filter((property) => count(after, property) > count(before, property));
}

/** A copy in which every value at the path is a mark. `marked` receives the texts to look for. */
function withMarks(value: unknown, [name, ...rest]: string[], marked: Set<string>): unknown {
  if (value === undefined) return undefined;
  if (name === undefined) return marksIn(value, marked);
  if (name === "[]") return (value as unknown[]).map((entry) => withMarks(entry, rest, marked));
  const object = value as Record<string, unknown>;
  if (object[name] === undefined) return object;
  return {
    ...object,
    [name]: rest.length > 0 ? withMarks(object[name], rest, marked) : markOf(name, object[name], marked),
  };
}

/** Values of members whose content is limited. Each occurs nowhere in the maximal metadata. */
const MARKS: Record<string, string> = {
  date: "1987-06-05",
  dateType: "Accepted",
  descriptionType: "Other",
  embargoDate: "2099-11-12",
  funderIdentifierType: "GRID",
  language: "tlh",
  nameType: "Organizational",
  orcid: "0000-0009-8765-4321",
  relatedIdentifierType: "w3id",
  relationType: "Compiles",
  resourceTypeGeneral: "Sound",
  role: "Supervisor",
  titleType: "Other",
};

function markOf(name: string, value: unknown, marked: Set<string>): unknown {
  // Things with the same identifier and different names would share it.
  const mark = name === "rorid" ? `${markLike(value)}${marked.size}` : MARKS[name];
  if (mark === undefined) return marksIn(value, marked);
  marked.add(mark);
  // Formats divide a date, and write it with other separators.
  if (name === "embargoDate") for (const text of ["2099", "2099/11/12"]) marked.add(text);
  return mark;
}

/** A mark instead of a text or a number, and marks in all members of a value such as a licence. */
function marksIn(value: unknown, marked: Set<string>): unknown {
  if (typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((entry) => marksIn(entry, marked));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marksIn(member, marked)]));
  }
  const mark = markLike(value);
  marked.add(String(mark));
  return mark;
}

function markLike(value: unknown): string | number {
  if (typeof value === "number") return 12.3456;
  const text = String(value);
  if (/^https?:/.test(text)) return "https://qqmarkqq.example.org/";
  if (/^10\.\d+\//.test(text)) return "10.9999/qqmarkqq";
  return /^[^\s@]+@[^\s@]+$/.test(text) ? "qqmarkqq@example.org" : "qqmarkqq";
}

/** All texts and numbers of a JSON value. An `@id` or `@value` within a property is a value of this property. */
function leaves(value: unknown, path = ""): Occurrence[] {
  if (Array.isArray(value)) return value.flatMap((entry) => leaves(entry, path));
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, member]) => {
    if (path === "") return leaves(member, name);
    return leaves(member, name.startsWith("@") ? path : `${path}.${name}`);
  });
}

function written(name: MetadataFormatName, facts: VersionFacts): string {
  return METADATA_FORMATS[name].write({ facts: { ...facts, url: URL_ }, query: "", downloads: [] });
}

function matches(text: string, pattern: RegExp): Occurrence[] {
  return [...text.matchAll(pattern)].map(([, property = "", value = ""]) => [property, value]);
}

/** Elements, and their languages. */
function elementsOfDublinCore(facts: VersionFacts): Occurrence[] {
  const elements = written("dublin-core", facts).matchAll(/<(dc:\w+)(?: xml:lang="([^"]*)")?>([^<]*)</g);
  return [...elements].flatMap(([, name = "", language, text = ""]): Occurrence[] => [
    [name, text],
    ...(language === undefined ? [] : [[`${name}@xml:lang`, language] satisfies Occurrence]),
  ]);
}
