import { type Described, oneLine, summaryOf } from "./described.ts";

/** The dataset in RIS: a tag and a value a line, and a value has no line ends. */
export function ris(described: Described): string {
  const summary = summaryOf(described);
  const lines: [tag: string, value: string | undefined][] = [
    ["TY", "DATA"],
    ...summary.creators.map(({ name }): [string, string] => ["AU", name]),
    ["TI", summary.title],
    ["PY", summary.year],
    ["DA", summary.available.replaceAll("-", "/")],
    ["PB", summary.publisher],
    ["ET", summary.version],
    ["AB", summary.description],
    ...summary.subjects.map((subject): [string, string] => ["KW", subject]),
    ["LA", summary.language],
    ["AN", summary.identifier],
    ["UR", described.url],
    ["N1", `Licence: ${summary.licence.url ?? summary.licence.name}`],
    ["ER", ""],
  ];
  return lines.flatMap(([tag, value]) => (value === undefined ? [] : [`${tag}  - ${oneLine(value)}\r\n`])).join("");
}
