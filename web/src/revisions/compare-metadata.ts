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
  /** The entries of a list are the same, in another order. */
  isReordered: boolean;
}

/**
 * Compares two states of metadata by their members, in the order of the first one. Entries of lists are compared with each
 * other: an entry with other values that shares one with an earlier entry is a change of it.
 */
export function compareMetadata(before: Record<string, unknown>, after: Record<string, unknown>): MemberChange[] {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return members
    .filter((member) => textOf(before[member]) !== textOf(after[member]))
    .map((member) => compareMember(member, before[member], after[member]));
}

/** Whether two values have the same JSON, without regard to the order of the members. */
export function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function compareMember(member: string, before: unknown, after: unknown): MemberChange {
  if (!isListOrAbsent(before) || !isListOrAbsent(after)) {
    return { member, differences: [differenceOf(before, after)], isReordered: false };
  }
  const differences = compareLists(before ?? [], after ?? []);
  return { member, differences, isReordered: differences.length === 0 };
}

/** The differences of two lists: changed and removed entries in the earlier order, then the added ones. */
function compareLists(before: readonly unknown[], after: readonly unknown[]): Difference[] {
  const added = [...after];
  const gone = before.filter((entry) => !take(added, (other) => isSame(entry, other)));
  const changed = gone.map((entry): Difference => {
    const likeness = added.map((other) => sharedValues(entry, other));
    const most = Math.max(0, ...likeness);
    const [other] = most === 0 ? [] : added.splice(likeness.indexOf(most), 1);
    return differenceOf(entry, other);
  });
  return [...changed, ...added.map((entry) => ({ after: entry }))];
}

/** Removes the first entry for which the test holds. Returns whether there was one. */
function take(entries: unknown[], test: (entry: unknown) => boolean): boolean {
  const at = entries.findIndex(test);
  if (at >= 0) entries.splice(at, 1);
  return at >= 0;
}

/** Terms that many entries share, so that they do not identify one. */
const TERMS = ["role", "nameType", "country", "language", "resourceTypeGeneral"];

/** The number of members with the same value that identify an entry. */
function sharedValues(one: unknown, other: unknown): number {
  if (!isObject(one) || !isObject(other)) return 0;
  return Object.entries(one).filter(
    ([name, value]) => !name.endsWith("Type") && !TERMS.includes(name) && isSame(value, other[name]),
  ).length;
}

function differenceOf(before: unknown, after: unknown): Difference {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function isListOrAbsent(value: unknown): value is unknown[] | undefined {
  return value === undefined || Array.isArray(value);
}

/** Whether a value has named members. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
    ) ?? ""
  );
}
