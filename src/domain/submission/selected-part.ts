import type { Selection } from "./selection.ts";

/** Maximum number of patterns of a kind that a message quotes. */
const NAMED = 3;
/** Maximum code points of a quoted pattern. */
const LONGEST = 100;

/** Describes the selected part of a bucket for the end of a sentence; undefined if everything is selected. */
export function selectedPart({ prefix = "", include = [], exclude = [] }: Selection): string | undefined {
  const parts = [
    ...(prefix === "" ? [] : [`begin with ${quoted(prefix)}`]),
    ...(include.length === 0 ? [] : [`match ${several(include)}`]),
    ...(exclude.length === 0 ? [] : [`do not match ${several(exclude)}`]),
  ];
  return parts.length === 0 ? undefined : `keys that ${parts.join(" and ")}`;
}

function several(patterns: readonly string[]): string {
  const named = patterns.slice(0, NAMED).map(quoted);
  const more = patterns.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(" or ");
}

function quoted(text: string): string {
  const points = [...text];
  return `“${points.length > LONGEST ? `${points.slice(0, LONGEST).join("")}…` : text}”`;
}
