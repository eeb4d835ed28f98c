import { knownRole } from "@accession/rules";
import Papa from "papaparse";
import { newPerson, type Person } from "../entries/entries.ts";
import type { Pasted } from "../more/paste/PasteDialog.tsx";
import { countryCode } from "./countries.ts";
import { isLikeName, ofName, splitList, splitOutside, wordsOf } from "./personName.ts";

type Known = Partial<Omit<Person, "id" | "nameType" | "name" | "affiliations">>;

const ORCID = /(?:https?:\/\/)?(?:www\.)?(?:orcid\.org\/)?\d{4}-\d{4}-\d{4}-\d{3}[\dX]/i;

type Column = keyof Known | "name";

/** Names of columns in English, German and French, and in common exports. */
const COLUMNS: Record<Column, RegExp> = {
  name: /^(full ?name|name|author|creator|autor(in)?|auteure?|nom complet)s?$/,
  firstName: /^(first|given|fore)[ _-]?names?$|^vornamen?$|^pr[ée]noms?$/,
  lastName: /^(last|family|sur)[ _-]?names?$|^(nach|familien)namen?$|^nom( de famille)?$/,
  role: /^(role|contributor ?type|rolle|r[ôo]le)$/,
  orcid: /^orcid([ _-]?id)?$/,
  affiliation: /^(affiliation|institution|organi[sz]ation|einrichtung|institut|[ée]tablissement)$/,
  rorid: /^ror([ _-]?id)?$/,
  address: /^(address|street|adresse|stra(ß|ss)e|rue)$/,
  zipCode: /^(zip|postal|post)[ _-]?code$|^plz$|^postleitzahl$|^code postal$/,
  city: /^(city|town|ort|stadt|ville)$/,
  country: /^(country|land|pays)$/,
};

/**
 * Reads authors from a table with headings, a list with one author per line, or several names in one line. Lines, parts of
 * lines and headings can be left.
 */
export function readPeople(text: string): Pasted<Person> {
  const written = text.replace(/^\uFEFF/, "").trim();
  if (written === "") return { entries: [], left: [] };
  const { data } = Papa.parse<string[]>(written, { skipEmptyLines: "greedy" });
  const columns = (data[0] ?? []).map(columnOf);
  const isTable = columns.some((column) => column === "lastName" || column === "name");
  const { known, left } = isTable ? ofTable(data, columns) : ofLines(written.split(/\r?\n/));
  return { entries: known.map(newPerson), left };
}

function ofTable([headings = [], ...rows]: string[][], columns: (Column | undefined)[]) {
  const all = rows.map((row) => ({ row, known: ofRow(row, columns) }));
  return {
    known: all.flatMap(({ known }) => (isNamed(known) ? [known] : [])),
    left: [
      ...headings.filter((heading, index) => columns[index] === undefined && heading.trim() !== ""),
      ...all.flatMap(({ row, known }) => (isNamed(known) ? [] : [row.join(" ").trim()])),
    ],
  };
}

function ofLines(lines: string[]) {
  const filled = lines.map(withoutNumber).filter((line) => line !== "");
  const texts = filled.flatMap((line) => splitList(line, filled.length === 1) ?? [line]);
  const all = texts.map((text) => ({ text, ...readLine(text) }));
  return {
    known: all.flatMap(({ known }) => (isNamed(known) ? [known] : [])),
    left: all.flatMap(({ text, known, left }) => (isNamed(known) ? left : [text])),
  };
}

/** `1. Jane Doe`, `(2) John Smith`, `- Ann Miller` */
function withoutNumber(line: string): string {
  return line.trim().replace(/^(?:[([]?\d{1,3}[.)\]:]|[-*•–—])\s*/, "");
}

function isNamed({ firstName = "", lastName = "" }: Known): boolean {
  return /\p{L}/u.test(firstName + lastName);
}

function columnOf(heading: string): Column | undefined {
  const name = heading.trim().toLowerCase();
  return (Object.keys(COLUMNS) as Column[]).find((column) => COLUMNS[column].test(name));
}

function ofRow(row: string[], columns: (Column | undefined)[]): Known {
  const known: Known = {};
  for (const [index, column] of columns.entries()) {
    const value = row[index]?.trim() ?? "";
    if (column === undefined || value === "") continue;
    if (column === "name") Object.assign(known, ofName(value));
    else known[column] = cellOf(column, value);
  }
  return known;
}

function cellOf(column: keyof Known, value: string): string {
  if (column === "role") return knownRole(value) ?? value;
  return column === "country" ? (countryCode(value) ?? value) : value;
}

/**
 * `Carberry, Josiah; 0000-0002-1825-0097; Brown University`, with the parts after the name in any order. Text in
 * brackets after the name is a part, too. Parts that are not recognised are returned as such.
 */
function readLine(line: string): { known: Known; left: string[] } {
  const orcid = ORCID.exec(line)?.[0];
  const [name = "", ...others] = line
    .replace(orcid ?? "", "")
    .replace(/\(([^)]*)\)|<([^>]*)>/g, ";$1$2;")
    .split(/[;\t|]/)
    .map((part) => part.trim().replace(/^[,\s]+|[,\s]+$/g, ""))
    .filter((part, index) => part !== "" || index === 0);
  const [who, behind] = namePart(name);
  const parts = [...behind, ...others];
  const role = parts.find((part) => knownRole(part) !== undefined);
  const affiliation = parts.find((part) => part !== role && !part.includes("@"));
  return {
    known: {
      ...ofName(who),
      ...(orcid !== undefined && { orcid }),
      ...(role !== undefined && { role: knownRole(role) ?? role }),
      ...(affiliation !== undefined && { affiliation }),
    },
    left: parts.filter((part) => part !== role && part !== affiliation),
  };
}

/** `Carberry, Josiah` is one name; in `Josiah Carberry, Brown University` the name ends at the comma. */
function namePart(text: string): [string, string[]] {
  const [first = "", second, ...more] = splitOutside(text, /,/g);
  if (second === undefined) return [text, []];
  const isTurned = isLikeName(second) || wordsOf(first) === 1;
  return isTurned ? [`${first}, ${second}`, more] : [first, [second, ...more]];
}
