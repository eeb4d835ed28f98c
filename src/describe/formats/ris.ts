import { citationType } from "../metadata/values/citation-types.ts";
import { type Agent, citedOf, type ExportInput, namePartsOf, oneLine, summaryOf } from "./export-input.ts";
import { notesOf, titleNote } from "./notes.ts";

/** The dataset in RIS: one tag and value on each line. Values contain no line ends. */
export function ris(described: ExportInput): string {
  const summary = summaryOf(described);
  const { doi, url, urn, status } = citedOf(described);
  const { metadata } = described.facts;
  const [translated = [], otherTitles = []] = [true, false].map((isTranslated) =>
    (metadata.titles ?? []).filter(({ titleType }) => (titleType === "TranslatedTitle") === isTranslated),
  );
  const each = (tag: string, values: string[]) => values.map((value): [string, string] => [tag, value]);
  const lines: [tag: string, value: string | undefined][] = [
    ["TY", citationType(metadata.resourceTypeGeneral).ris],
    ...each("AU", summary.creators.map(nameOf)),
    // The tag for secondary authors.
    ...each("A2", summary.contributors.map(nameOf)),
    ["TI", summary.title],
    ...each(
      "TT",
      translated.map(({ title }) => title),
    ),
    ["PY", summary.year],
    ["DA", summary.issued.replaceAll("-", "/")],
    ["PB", summary.publisher.name],
    ["ET", summary.version],
    ["AB", summary.description],
    ...each("KW", summary.keywords),
    ["LA", summary.language],
    ["DO", doi],
    ["AN", urn],
    ["UR", url],
    ["M3", metadata.resourceType ?? metadata.resourceTypeGeneral],
    ["N1", status],
    ["N1", `Licence: ${summary.licence.url ?? summary.licence.name}`],
    ...each("N1", [...otherTitles.map(titleNote), ...notesOf(metadata)]),
    ["ER", ""],
  ];
  return lines.flatMap(([tag, value]) => (value === undefined ? [] : [`${tag}  - ${oneLine(value)}\r\n`])).join("");
}

/**
 * “Family, Given, Suffix”. Commas separate these parts and cannot be escaped, so other commas are removed. A name in
 * one part, such as that of an organisation, has no commas.
 */
function nameOf(agent: Agent): string {
  const plain = (text: string) => text.replace(/\s*,+\s*/g, " ").trim();
  const { family, given, suffix } = namePartsOf(agent);
  if (agent.kind === "organisation" || family === undefined) return plain(agent.name);
  if (suffix !== undefined) return [family, given ?? "", suffix].map(plain).join(", ");
  return [family, ...(given === undefined ? [] : [given])].map(plain).join(", ");
}
