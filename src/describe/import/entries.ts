import type { Metadata } from "../metadata/schema.ts";
import { recognizedIdentifier } from "../metadata/values/identifier.ts";

/** Members of entries with identifiers, which files write in several spellings. */
const IDENTIFIERS: Partial<Record<keyof Metadata, [identifier: string, other: string | undefined]>> = {
  alternateIdentifiers: ["alternateIdentifier", undefined],
  relatedIdentifiers: ["relatedIdentifier", "relationType"],
};

/** What identifies an entry in its list: its identifier in canonical form, with the relation, or otherwise all its members. */
export function entryKey(member: keyof Metadata, entry: unknown): string {
  const [name, other] = IDENTIFIERS[member] ?? [];
  const members = entry as Record<string, unknown>;
  const stated = name === undefined ? undefined : members[name];
  const identifier = typeof stated === "string" ? recognizedIdentifier(stated)?.identifier : undefined;
  return JSON.stringify([member, identifier === undefined ? entry : [identifier, other && members[other]]]);
}

/** Both entries as one, if they do not contradict each other. Spellings of the same identifier and its type do not. */
export function merged(first: unknown, second: unknown): unknown {
  if (typeof first !== "object" || typeof second !== "object" || first === null || second === null) return first;
  const [one, other] = [first as Record<string, unknown>, second as Record<string, unknown>];
  const isSame = (name: string) =>
    /Identifier(?:Type)?$/.test(name) || JSON.stringify(one[name]) === JSON.stringify(other[name]);
  const isContrary = Object.keys(other).some((name) => one[name] !== undefined && !isSame(name));
  return isContrary ? undefined : { ...other, ...one };
}
