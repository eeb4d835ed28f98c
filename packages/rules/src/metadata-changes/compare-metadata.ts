import { pairEntries } from "./pair-entries.ts";
import { isListOrAbsent, isObject, isSame } from "./same.ts";

/** A difference of a member of the metadata that is not a list, or of one entry of a list. */
export interface Difference {
  /** Absent if it was added. */
  before?: unknown;
  /** Absent if it was removed. */
  after?: unknown;
}

/** What differs in one member of the metadata. */
export interface MemberChange {
  /** Name in the metadata, such as `title`. */
  member: string;
  differences: Difference[];
  /** The entries of a list that both states have are in another order. */
  isReordered: boolean;
}

/** The members in the order of the form. */
const ORDER = [
  ...["title", "description", "subjects", "language", "license", "embargoDate", "titles", "descriptions"],
  ...["acknowledgements", "relatedIdentifiers", "fundingReferences", "dates", "geoLocations", "subjectTerms"],
  ...["resourceTypeGeneral", "resourceType", "versionLabel", "alternateIdentifiers", "contact", "licenses"],
  ...["fields", "authors"],
];

/**
 * Compares two states of metadata by their members, in the order of the form. Entries of lists are compared with each
 * other: an entry with other values that shares one with an earlier entry is a change of it.
 */
export function compareMetadata(before: Record<string, unknown>, after: Record<string, unknown>): MemberChange[] {
  return changedMembers(before, after).flatMap((member) =>
    member === "fields"
      ? compareGroups(before[member], after[member])
      : compareMember(member, before[member], after[member]),
  );
}

/** The groups of the operator's fields, each as a member `fields/group`. */
function compareGroups(before: unknown, after: unknown): MemberChange[] {
  const [earlier, later] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  return changedMembers(earlier, later).map((group) => ({
    member: `fields/${group}`,
    differences: [differenceOf(earlier[group], later[group])],
    isReordered: false,
  }));
}

/** The names of the members that differ between two states of metadata, in the order of the form; those without a field at the end. */
export function changedMembers(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const placeOf = (member: string) => (ORDER.includes(member) ? ORDER.indexOf(member) : ORDER.length);
  return members
    .filter((member) => !isSame(before[member], after[member]))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

function compareMember(member: string, before: unknown, after: unknown): MemberChange {
  if (!isListOrAbsent(before) || !isListOrAbsent(after)) {
    return { member, differences: [differenceOf(before, after)], isReordered: false };
  }
  return { member, ...compareLists(before ?? [], after ?? []) };
}

/** The differences of two lists: changed and removed entries in the earlier order, then the added ones. */
function compareLists(before: readonly unknown[], after: readonly unknown[]): Omit<MemberChange, "member"> {
  const origins = pairEntries(before, after);
  const successors = new Map(origins.map((origin, index) => [origin, after[index]]));
  const changed = before.flatMap((entry, index) =>
    isSame(entry, successors.get(index)) ? [] : [differenceOf(entry, successors.get(index))],
  );
  const added = after.flatMap((entry, index) => (origins[index] === undefined ? [{ after: entry }] : []));
  const kept = origins.filter((origin) => origin !== undefined);
  return {
    differences: [...changed, ...added],
    isReordered: kept.some((origin, index) => origin < (kept[index - 1] ?? -1)),
  };
}

function differenceOf(before: unknown, after: unknown): Difference {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
