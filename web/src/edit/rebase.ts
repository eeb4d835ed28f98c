import { isListOrAbsent, isObject, isSame, pairEntries } from "@accession/rules";
import type { MetadataMembers } from "../api/revisions.ts";
import type { Origins } from "./edited-metadata.ts";

/** The result of applying a user's changes to metadata that another user has changed in the meantime. */
export interface Rebased {
  metadata: MetadataMembers;
  /** Members of which both users have changed the same part. They have the values of the first user. */
  conflicts: string[];
  /** For each entry of a list, its position in the metadata of the other user; undefined if it is not there. */
  origins: Origins;
}

/**
 * Applies the changes between two states to a third one: member by member, and in lists entry by entry.
 *
 * @param base the state from which both users started
 */
export function rebase(base: MetadataMembers, mine: MetadataMembers, theirs: MetadataMembers): Rebased {
  const members = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const merged = members.map((member) => ({ member, ...merge(base[member], mine[member], theirs[member]) }));
  const present = merged.filter(({ value }) => value !== undefined);
  return {
    metadata: Object.fromEntries(present.map(({ member, value }) => [member, value])),
    conflicts: merged.flatMap(({ member, isConflict }) => (isConflict ? [member] : [])),
    origins: Object.fromEntries(present.flatMap(({ member, origins }) => (origins ? [[member, origins]] : []))),
  };
}

interface Merged {
  value: unknown;
  isConflict: boolean;
  /** Of a list. */
  origins?: (number | undefined)[];
}

/** The changes of both users to a value. Where both have changed it, the first user's value. */
function merge(base: unknown, mine: unknown, theirs: unknown): Merged {
  if (isSame(base, mine) || isSame(mine, theirs)) return { value: theirs, isConflict: false };
  if (isSame(base, theirs) && mine === undefined) return { value: undefined, isConflict: false };
  if (Array.isArray(mine ?? theirs) && [base, mine, theirs].every(isListOrAbsent)) {
    return mergeLists((base ?? []) as unknown[], (mine ?? []) as unknown[], (theirs ?? []) as unknown[]);
  }
  if (isSame(base, theirs)) return { value: mine, isConflict: false };
  if (!isObject(base) || !isObject(mine) || !isObject(theirs)) return { value: mine, isConflict: true };
  const { metadata, conflicts } = rebase(base, mine, theirs);
  return { value: metadata, isConflict: conflicts.length > 0 };
}

/** An entry of a merged list, with its positions in the three lists. */
interface Entry extends Merged {
  base?: number | undefined;
  mine?: number | undefined;
  theirs?: number | undefined;
}

function mergeLists(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): Merged {
  const [myOrigins, theirOrigins] = [pairEntries(base, mine), pairEntries(base, theirs)];
  const entries = mergeEntries({ base, mine, theirs }, myOrigins, theirOrigins);
  const conflicts = entries.filter(({ isConflict }) => isConflict);
  const present = entries.filter(({ value }) => value !== undefined);
  // The order of the user who has changed it; new entries of the other one follow the same entry as there.
  const [first, second] = isOrdered(myOrigins) ? (["theirs", "mine"] as const) : (["mine", "theirs"] as const);
  const ordered = sequenceIn(first, present);
  const other = sequenceIn(second, present);
  for (const [index, entry] of other.entries()) {
    if (entry[first] !== undefined) continue;
    const previous = other[index - 1];
    ordered.splice(previous === undefined ? 0 : ordered.indexOf(previous) + 1, 0, entry);
  }
  return {
    value: ordered.length > 0 ? ordered.map(({ value }) => value) : mine.length > 0 ? undefined : mine,
    isConflict: conflicts.length > 0,
    origins: ordered.map((entry) => entry.theirs),
  };
}

interface Lists {
  base: readonly unknown[];
  mine: readonly unknown[];
  theirs: readonly unknown[];
}

/** The entries of both users. Those without a value were removed. */
function mergeEntries(lists: Lists, myOrigins: Origin[], theirOrigins: Origin[]): Entry[] {
  const kept = lists.base.map((entry, base): Entry => {
    const [mine, theirs] = [indexIn(myOrigins, base), indexIn(theirOrigins, base)];
    const merged = merge(entry, valueAt(lists.mine, mine), valueAt(lists.theirs, theirs));
    return { ...merged, base, mine, theirs };
  });
  const newOf = (origins: Origin[]) => [...origins.keys()].filter((index) => origins[index] === undefined);
  const [ownNew, otherNew] = [newOf(myOrigins), newOf(theirOrigins)];
  const pairs = pairSame(lists, ownNew, otherNew);
  const own = ownNew.map(
    (mine): Entry => ({ value: lists.mine[mine], isConflict: false, mine, theirs: pairs.get(mine) }),
  );
  const taken = new Set(pairs.values());
  const other = otherNew
    .filter((theirs) => !taken.has(theirs))
    .map((theirs): Entry => ({ value: lists.theirs[theirs], isConflict: false, theirs }));
  return [...kept, ...own, ...other];
}

type Origin = number | undefined;

/** New entries that both users have added: for the positions of the first user, those of the second. */
function pairSame({ mine, theirs }: Lists, ownNew: number[], otherNew: number[]): Map<number, number> {
  const left = new Set(otherNew);
  const pairs = new Map<number, number>();
  for (const own of ownNew) {
    const other = [...left].find((index) => isSame(mine[own], theirs[index]));
    if (other === undefined) continue;
    pairs.set(own, other);
    left.delete(other);
  }
  return pairs;
}

/** The entries of one of the lists, in its order. */
function sequenceIn(list: "mine" | "theirs", entries: readonly Entry[]): Entry[] {
  return entries.filter((entry) => entry[list] !== undefined).sort((a, b) => (a[list] as number) - (b[list] as number));
}

/** Whether the entries that the list shares with the earlier one are in the same order. */
function isOrdered(origins: Origin[]): boolean {
  const kept = origins.filter((origin) => origin !== undefined);
  return kept.every((origin, index) => index === 0 || origin > (kept[index - 1] ?? 0));
}

function indexIn(origins: Origin[], base: number): Origin {
  const index = origins.indexOf(base);
  return index < 0 ? undefined : index;
}

function valueAt(list: readonly unknown[], index: Origin): unknown {
  return index === undefined ? undefined : list[index];
}
