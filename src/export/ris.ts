import { type Agent, type Described, namePartsOf, oneLine, summaryOf } from "./described.ts";

/** The dataset in RIS: one tag and value on each line. Values contain no line ends. */
export function ris(described: Described): string {
  const summary = summaryOf(described);
  const lines: [tag: string, value: string | undefined][] = [
    ["TY", "DATA"],
    ...summary.creators.map((creator): [string, string] => ["AU", nameOf(creator)]),
    ["TI", summary.title],
    ["PY", summary.year],
    ["DA", summary.available.replaceAll("-", "/")],
    ["PB", summary.publisher.name],
    ["ET", summary.version],
    ["AB", summary.description],
    ...summary.subjects.map((subject): [string, string] => ["KW", subject]),
    ["LA", summary.language],
    ["AN", summary.identifier],
    ["UR", summary.url],
    ["N1", `Licence: ${summary.licence.url ?? summary.licence.name}`],
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
