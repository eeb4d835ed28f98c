import { archivedGroup } from "../../metadata/fields/archived-group.ts";
import type { Field, FieldValue, Value } from "../../metadata/fields/field.ts";
import type { NormalizedMetadata } from "../../metadata/normalized.ts";
import { type Entity, nonEmptyProperties, oneOrAll } from "./entity.ts";

/** A value of a field, with its place: `plants/treatments/2/dose`. */
interface Placed {
  path: string;
  title: string;
  field: FieldValue & { variable: boolean };
  values: (string | number | boolean)[];
}

/** Values of the operator's fields that are not variables, for formats that have a place for properties of any kind. */
export function additionalProperties(metadata: NormalizedMetadata): Record<string, unknown> {
  const others = placedValues(metadata).filter(({ field }) => !field.variable);
  return nonEmptyProperties({ additionalProperty: others.map(propertyValue) });
}

/** The names of the measured variables among the operator's fields. */
export function measuredVariables(metadata: NormalizedMetadata): Record<string, unknown> {
  const variables = placedValues(metadata).filter(({ field }) => field.variable);
  const names = variables.flatMap(({ field, values }) => values.map((value) => titleOf(field, value)));
  const entities = [...new Set(names)].map((name, index): Entity => {
    return { "@id": `#variable-${index + 1}`, "@type": "PropertyValue", name };
  });
  return nonEmptyProperties({ variableMeasured: entities });
}

function propertyValue({ path, title, field, values }: Placed): Entity {
  const unit = field.unit ?? field.items?.unit;
  return {
    "@id": `#fields/${path}`,
    "@type": "PropertyValue",
    name: title,
    propertyID: path,
    value: oneOrAll(values),
    ...(unit !== undefined && { unitText: unit }),
  };
}

/** The title of a value of an enumeration, or the value itself. */
function titleOf({ choices, items }: FieldValue, value: unknown): string {
  return (choices ?? items?.choices)?.find((choice) => choice.value === value)?.title ?? String(value);
}

function placedValues({ fields = {}, fieldSchemas = {} }: NormalizedMetadata): Placed[] {
  return Object.entries(fields).flatMap(([name, values]) => {
    const schema = fieldSchemas[name];
    return schema === undefined ? [] : members(archivedGroup({ name, schema, values }).group.fields, values, name);
  });
}

function members(fields: readonly Field[], values: Record<string, Value>, path: string): Placed[] {
  return fields.flatMap((field) => {
    const value = values[field.name];
    return value === undefined ? [] : placed(field, value, { path: `${path}/${field.name}`, ...field });
  });
}

/** @param named the field to which the value belongs, as an entry of a list or itself */
function placed(rule: FieldValue, value: Value, named: { path: string; title: string; variable: boolean }): Placed[] {
  const { path, title, variable } = named;
  const entries = rule.fields ?? rule.items?.fields;
  if (Array.isArray(value)) {
    const isNested = entries !== undefined || rule.items?.items !== undefined;
    if (isNested && rule.items !== undefined) {
      const { items } = rule;
      return value.flatMap((entry, index) => placed(items, entry, { path: `${path}/${index + 1}`, title, variable }));
    }
    return [{ path, title, field: { ...rule, variable }, values: value as Placed["values"] }];
  }
  if (typeof value === "object") return members(entries ?? [], value, path);
  return [{ path, title, field: { ...rule, variable }, values: [value] }];
}
