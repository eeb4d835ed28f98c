import { canonical, isObject } from "./same.ts";

/** Terms that many entries share, so that they do not identify one. */
const TERMS = ["role", "nameType", "country", "language", "resourceTypeGeneral"];

/** A value in more entries than this identifies none of them. Limits the work for long lists of hostile metadata. */
const MOST_OWNERS = 20;

interface Pair {
  from: number;
  to: number;
  /** The number of identifying values that the entries share. */
  shared: number;
}

/**
 * Finds the entries of a list in a later state of the list: first the entries that are the same, then those that share most
 * values which identify an entry, such as an ORCID iD. Each entry is part of one pair at most.
 *
 * @returns for each later entry the position of the earlier one; undefined for a new entry
 */
export function pairEntries(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const origins: (number | undefined)[] = after.map(() => undefined);
  const positions = byText(before);
  for (const [index, entry] of after.entries()) origins[index] = positions.get(canonical(entry))?.shift();
  const left = new Set([...positions.values()].flat());
  for (const { from, to } of similar(before, after, left, origins)) {
    if (origins[to] === undefined && left.delete(from)) origins[to] = from;
  }
  return origins;
}

/** The positions of the entries by their texts, in order. */
function byText(entries: readonly unknown[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) add(positions, canonical(entry), index);
  return positions;
}

/** The possible pairs of entries that are not the same, the most similar first; in the same order if both lists are exchanged. */
function similar(
  before: readonly unknown[],
  after: readonly unknown[],
  left: ReadonlySet<number>,
  origins: readonly (number | undefined)[],
): Pair[] {
  const owners = new Map<string, number[]>();
  for (const from of left) for (const value of identifying(before[from])) add(owners, value, from);
  const pairs = after.flatMap((entry, to) => {
    const shared = new Map<number, number>();
    const values = origins[to] === undefined ? identifying(entry) : [];
    for (const value of values) {
      const those = owners.get(value) ?? [];
      if (those.length > MOST_OWNERS) continue;
      for (const from of those) shared.set(from, (shared.get(from) ?? 0) + 1);
    }
    return [...shared].map(([from, count]): Pair => ({ from, to, shared: count }));
  });
  return pairs.sort((a, b) => b.shared - a.shared || distance(a) - distance(b) || firstPosition(a) - firstPosition(b));
}

/** The members of an entry that identify it, each with its value as text. */
function identifying(entry: unknown): string[] {
  if (!isObject(entry)) return [];
  const members = Object.entries(entry).filter(([name]) => !name.endsWith("Type") && !TERMS.includes(name));
  return members.filter(([, value]) => value !== "" && value !== null).map((member) => canonical(member));
}

function distance({ from, to }: Pair): number {
  return Math.abs(from - to);
}

function firstPosition({ from, to }: Pair): number {
  return Math.min(from, to);
}

function add(positions: Map<string, number[]>, text: string, index: number): void {
  const known = positions.get(text);
  if (known === undefined) positions.set(text, [index]);
  else known.push(index);
}
