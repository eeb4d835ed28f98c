import { type Agent, type Described, namePartsOf, oneLine, summaryOf } from "./described.ts";

/** The dataset as a BibTeX entry, in UTF-8, of the type `misc`, which every style knows. */
export function bibtex(described: Described): string {
  const summary = summaryOf(described);
  const fields: [name: string, value: string | undefined][] = [
    ["author", summary.creators.map(nameOf).join(" and ")],
    // Braces within braces: no style may change the case of what is in them.
    ["title", `{${escaped(summary.title)}}`],
    ["year", summary.year],
    ["month", String(Number(summary.available.slice(5, 7)))],
    ["publisher", escaped(summary.publisher.name)],
    ["howpublished", "Dataset"],
    ["version", summary.version],
    ["url", summary.url],
    ["note", summary.identifier],
    ["language", summary.language],
    ["keywords", summary.subjects.map(escaped).join(", ") || undefined],
    ["copyright", escaped(summary.licence.name)],
    ["abstract", escaped(summary.description)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@misc{${keyOf(summary.creators[0], summary.year, described)},\n${lines.join(",\n")}\n}\n`;
}

/** What people cite by: family name, year, and enough of the id, with the version, to be the only one. */
function keyOf(first: Agent | undefined, year: string, { facts }: Described): string {
  const name = (first?.family ?? first?.name ?? "")
    .normalize("NFKD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
  return `${name || "dataset"}${year}-${facts.datasetId.slice(0, 8)}-v${facts.version}`;
}

/** “Family, Given” or “Family, Suffix, Given”; a name that BibTeX would take apart stands in braces. */
function nameOf(agent: Agent): string {
  const { family, given, suffix } = namePartsOf(agent);
  if (agent.kind === "organisation" || family === undefined || given === undefined) return `{${escaped(agent.name)}}`;
  const part = (text: string) => (/,|\band\b/i.test(text) ? `{${escaped(text)}}` : escaped(text));
  return [family, ...(suffix === undefined ? [] : [suffix]), given].map(part).join(", ");
}

/** BibTeX counts braces whatever stands before them: there must be no other ones than pairs. */
const SPECIAL: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
};

function escaped(text: string): string {
  return oneLine(text).replace(/[\\{}~^$&#%_]/g, (character) => SPECIAL[character] ?? character);
}
