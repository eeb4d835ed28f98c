import type { Field, FieldGroup, FieldValue, GroupValues, Value } from "./field.ts";
import { InvalidFieldSchema, readFieldSchema } from "./read-schema.ts";

/** The values of a group of an archived version, and the text of the schema that defined them at that time. */
export interface Archived {
  name: string;
  schema: string;
  values: GroupValues;
}

/**
 * A group of an archived version. Archived schemas do not change, so that this version of the service can refuse one that an earlier
 * version accepted. Then the fields are those that have values, with their names as titles.
 *
 * @returns with the group, why its schema is refused; undefined if it is not
 */
export function archivedGroup({ name, schema, values }: Archived): {
  group: FieldGroup;
  refused: InvalidFieldSchema | undefined;
} {
  try {
    return { group: readFieldSchema(name, schema), refused: undefined };
  } catch (error) {
    if (!(error instanceof InvalidFieldSchema)) throw error;
    return { group: { ...named(name), fields: fieldsOf([values]), schema }, refused: error };
  }
}

/** A group or a field without texts. */
function named(name: string) {
  return { name, title: name, titles: {}, descriptions: {}, required: false };
}

function fieldsOf(groups: readonly GroupValues[]): Field[] {
  const stated = new Map<string, Value[]>();
  for (const [name, value] of groups.flatMap((group) => Object.entries(group))) {
    stated.set(name, [...(stated.get(name) ?? []), value]);
  }
  return Array.from(stated, ([name, values]) => ({ ...named(name), variable: false, ...ruleOf(values) }));
}

/** The type that all values of a field have, because a schema allows only one. */
function ruleOf(values: readonly Value[]): FieldValue {
  const [first] = values;
  if (Array.isArray(first)) return { type: "list", items: ruleOf(values.filter(Array.isArray).flat()) };
  if (typeof first === "object") return { type: "group", fields: fieldsOf(values.filter(isGroup)) };
  if (typeof first === "number") return { type: "number" };
  if (typeof first === "boolean") return { type: "boolean" };
  return { type: "text" };
}

function isGroup(value: Value): value is GroupValues {
  return typeof value === "object" && !Array.isArray(value);
}
