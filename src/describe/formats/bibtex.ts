import { type Agent, citedOf, type ExportInput, namePartsOf, oneLine, summaryOf } from "./export-input.ts";
import { contributorNotes, notesOf } from "./notes.ts";

/** The dataset as a BibTeX entry, in UTF-8, of the type `misc`, which every style supports. */
export function bibtex(described: ExportInput): string {
  return entryOf(described, () => true);
}

/** The entry with what a citation contains, for datasets whose other metadata are not public. */
export function bibtexCitation(described: ExportInput): string {
  return entryOf(described, (field) => CITED.has(field));
}

const CITED: ReadonlySet<string> = new Set([
  ...["author", "title", "year", "month", "publisher", "version", "doi", "url", "note"],
]);

function entryOf(described: ExportInput, isIncluded: (field: string) => boolean): string {
  const summary = summaryOf(described);
  const { doi, url, urn, status } = citedOf(described);
  const { metadata } = described.facts;
  const { resourceTypeGeneral = "Dataset", resourceType = resourceTypeGeneral, titles = [] } = metadata;
  const [subtitles, others] = [true, false].map((isSubtitle) =>
    titles.filter(({ titleType }) => (titleType === "Subtitle") === isSubtitle).map(({ title }) => title),
  );
  const fields: [name: string, value: string | undefined][] = [
    ["author", summary.creators.map(nameOf).join(" and ")],
    // The inner braces prevent styles from changing the case of the title.
    ["title", `{${escaped(summary.title)}}`],
    // Fields of BibLaTeX. BibTeX ignores them.
    ["subtitle", joined(subtitles, "; ")],
    ["titleaddon", joined(others, "; ")],
    ["year", summary.year],
    ["month", String(Number(summary.issued.slice(5, 7)))],
    ["publisher", escaped(summary.publisher.name)],
    ["howpublished", escaped(resourceType)],
    ["version", escaped(summary.version)],
    ["doi", doi],
    ["url", url],
    ["note", status ?? urn],
    ["language", summary.language],
    ["keywords", summary.keywords.map(keywordOf).join(", ") || undefined],
    ["copyright", escaped(summary.licence.name)],
    ["abstract", escaped(summary.description)],
    ["annote", joined([...contributorNotes(metadata), ...notesOf(metadata)], "; ")],
  ];
  const lines = fields.flatMap(([name, value]) =>
    value === undefined || !isIncluded(name) ? [] : [`  ${name} = {${value}}`],
  );
  return `@misc{${keyOf(summary.creators[0], summary.year, described)},\n${lines.join(",\n")}\n}\n`;
}

/** Commas separate keywords in BibLaTeX, and braces protect those within one. */
function keywordOf(keyword: string): string {
  return keyword.includes(",") ? `{${escaped(keyword)}}` : escaped(keyword);
}

/** A list in one field; undefined if it is empty. */
function joined(texts: string[] = [], separator: string): string | undefined {
  return texts.length === 0 ? undefined : texts.map(escaped).join(separator);
}

/** The citation key: family name, year, and enough of the id, with the version, to be unique. */
function keyOf(first: Agent | undefined, year: string, { facts }: ExportInput): string {
  const name = (first?.family ?? first?.name ?? "")
    .normalize("NFKD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
  return `${name || "dataset"}${year}-${facts.datasetId.slice(0, 8)}-v${facts.version}`;
}

/** “Family, Given” or “Family, Suffix, Given”. A name that BibTeX would split is in braces. */
function nameOf(agent: Agent): string {
  const { family, given, suffix } = namePartsOf(agent);
  if (agent.kind === "organisation" || family === undefined || given === undefined) return `{${escaped(agent.name)}}`;
  const part = (text: string) => (/,|\band\b/i.test(text) ? `{${escaped(text)}}` : escaped(text));
  return [family, ...(suffix === undefined ? [] : [suffix]), given].map(part).join(", ");
}

/** BibTeX counts braces even if they are escaped, so unpaired braces must not occur. */
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
