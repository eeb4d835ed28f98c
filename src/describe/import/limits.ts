import { Metadata } from "../metadata/schema.ts";

/** Texts that keep their meaning when they are cut: not identifiers, addresses, names and dates. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["title", "description", "acknowledgements", "citation", "awardTitle", "dateInformation", "resourceType"],
  ...["geoLocationPlace", "appliesTo"],
]);

interface Schema {
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** The maximum length of a text that can be cut: a member, or one of the members of its entries. Undefined for others. */
export function lengthLimit(member: keyof Metadata, name: string): number | undefined {
  if (!TEXTS.has(name)) return undefined;
  const schema = Metadata.properties[member] as Schema;
  return name === member ? schema.maxLength : (schema.items ?? schema).properties?.[name]?.maxLength;
}

/** Whether a member is a list. */
export function isList(member: string): boolean {
  return "maxItems" in Metadata.properties[member as keyof Metadata];
}

/** The maximum number of entries of a list; 1 for other members. */
export function mostOf(member: keyof Metadata): number {
  const { maxItems = 1 } = Metadata.properties[member] as { maxItems?: number };
  return maxItems;
}
