import type { Selection } from "./selection.ts";

/** Patterns of a kind that are named one by one, and code points of each: a sentence stays one. */
const NAMED = 3;
const LONGEST = 100;

/** Which part of a bucket a selection takes, in words that end a sentence; undefined when it takes all of it. */
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
