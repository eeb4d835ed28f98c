import Papa from "papaparse";
import { newPerson, type Person } from "../draft.ts";
import { judgeOrcid } from "../orcid.ts";
import { roleOf } from "./authors.ts";
import { countryCode } from "./countries.ts";

type Known = Partial<Omit<Person, "id">>;
type Column = keyof Known | "name";

/** What columns are called, in both languages of the page and by those who export them. */
const COLUMNS: Record<Column, RegExp> = {
  name: /^(full ?name|name|author|creator|autor(in)?)$/,
  firstName: /^(first|given|fore)[ _-]?names?$|^vornamen?$/,
  lastName: /^(last|family|sur)[ _-]?names?$|^(nach|familien)namen?$/,
  role: /^(role|contributor ?type|rolle)$/,
  orcid: /^orcid([ _-]?id)?$/,
  affiliation: /^(affiliation|institution|organi[sz]ation|einrichtung)$/,
  rorid: /^ror([ _-]?id)?$/,
  address: /^(address|street|adresse|stra(ß|ss)e)$/,
  zipCode: /^(zip|postal|post)[ _-]?code$|^plz$|^postleitzahl$/,
  city: /^(city|town|ort|stadt)$/,
  country: /^(country|land)$/,
};

/** Authors of a table with headings, or of a list with one a line; lines of which nothing is understood are left out. */
export function readPeople(text: string): Person[] {
  if (text.trim() === "") return [];
  const { data } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: "greedy" });
  const columns = (data[0] ?? []).map(columnOf);
  const isTable =
    columns.some((column) => column === "lastName" || column === "name") &&
    !columns.every((column) => column === undefined);
  const known = isTable ? data.slice(1).map((row) => ofRow(row, columns)) : text.trim().split(/\r?\n/).map(ofLine);
  return known.filter(({ firstName = "", lastName = "" }) => `${firstName}${lastName}` !== "").map(newPerson);
}

function columnOf(heading: string): Column | undefined {
  const name = heading
    .trim()
    .replace(/^\uFEFF/, "")
    .toLowerCase();
  return (Object.keys(COLUMNS) as Column[]).find((column) => COLUMNS[column].test(name));
}

function ofRow(row: string[], columns: (Column | undefined)[]): Known {
  const known: Known = {};
  for (const [index, column] of columns.entries()) {
    const value = row[index]?.trim() ?? "";
    if (column === undefined || value === "") continue;
    if (column === "name") Object.assign(known, ofName(value));
    else
      known[column] =
        column === "role" ? (roleOf(value) ?? value) : column === "country" ? (countryCode(value) ?? value) : value;
  }
  return known;
}

/** `Carberry, Josiah; 0000-0002-1825-0097; Brown University`, with the parts after the name in any order. */
function ofLine(line: string): Known {
  const orcid = /(?:https?:\/\/)?(?:www\.)?(?:orcid\.org\/)?\d{4}-\d{4}-\d{4}-\d{3}[\dX]/i.exec(line)?.[0] ?? "";
  const [name = "", ...others] = line
    .replace(orcid, "")
    .replace(/\(([^)]*)\)|<([^>]*)>/, ";$1$2")
    .split(/[;\t|]/)
    .map((part) => part.trim().replace(/^[,\s]+|[,\s]+$/g, ""));
  const role = others.map(roleOf).find((one) => one !== undefined);
  const affiliation = others.find((part) => part !== "" && roleOf(part) === undefined && !part.includes("@"));
  return {
    ...ofName(name),
    ...(judgeOrcid(orcid) !== "empty" && { orcid }),
    ...(role !== undefined && { role }),
    ...(affiliation !== undefined && { affiliation }),
  };
}

/** `Carberry, Josiah` or `Josiah Carberry`. */
function ofName(name: string): Known {
  const [last = "", first] = name.split(",").map((part) => part.trim());
  if (first !== undefined) return { firstName: first, lastName: last };
  const words = last.split(/\s+/);
  return { firstName: words.slice(0, -1).join(" "), lastName: words.at(-1) ?? "" };
}
