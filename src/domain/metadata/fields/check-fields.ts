import { isDeepStrictEqual } from "node:util";
import { RE2JS } from "re2js";
import { givenText, isMailAddress } from "../../blank.ts";
import type { Findings } from "../../findings.ts";
import { nearMiss } from "../../near-miss.ts";
import { count, several } from "../../numbers.ts";
import { pointerTo } from "../../shape.ts";
import { calendarDate } from "../values/date.ts";
import { canonicalUrl } from "../values/identifier.ts";
import type { Field, FieldGroup, FieldValue, GroupValues, Value } from "./field.ts";

/** Values of the operator's fields, by group, with the texts of the schemas that define them. */
export interface DefinedFields {
  fields?: Record<string, GroupValues>;
  fieldSchemas?: Record<string, string>;
}

/** What the values are checked against. */
export interface FieldRules {
  /** The groups of the configuration. */
  groups: readonly FieldGroup[];
  /** What is archived for the dataset. Values that have not changed stay valid, also if the configuration changed. */
  archived?: DefinedFields & {
    /** The values as they were sent. */
    sent: unknown;
  };
}

/**
 * Checks the values of the operator's fields as sent, without members that are empty. Required fields must be given only
 * in groups that have a value, unless the group is required itself.
 */
export function checkFields(
  given: Record<string, unknown>,
  pointer: string,
  findings: Findings,
  rules: FieldRules,
): DefinedFields {
  const kept: [string, GroupValues, string][] = [];
  for (const [name, values] of Object.entries(given)) {
    const at = pointerTo(pointer, name);
    const group = rules.groups.find((one) => one.name === name);
    const archived = archivedGroup(rules, name, values);
    if (group === undefined && archived === undefined) unknownGroup(name, at, findings, rules.groups);
    else if (!isEmpty(values)) {
      const checked = checkGroup(values, at, findings, { group, archived });
      if (checked !== undefined) kept.push([name, ...checked]);
    }
  }
  for (const group of rules.groups) {
    if (!group.required || !isEmpty(given[group.name] ?? {})) continue;
    findings.error(pointerTo(pointer, group.name), "required", `“${group.title}” is missing or empty.`);
  }
  if (kept.length === 0) return {};
  return {
    fields: Object.fromEntries(kept.map(([name, values]) => [name, values])),
    fieldSchemas: Object.fromEntries(kept.map(([name, , schema]) => [name, schema])),
  };
}

/** Maximum number of values of one group. Each becomes an entity of the RO-Crate. */
const MOST_VALUES = 10_000;

/** The number of texts, numbers and truth values in a value. */
function singleValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + singleValues(inner), 0);
}

interface ArchivedGroup {
  values: GroupValues;
  schema: string;
}

/** The archived group, if the values are still the same. */
function archivedGroup({ archived }: FieldRules, name: string, values: unknown): ArchivedGroup | undefined {
  const { fields = {}, fieldSchemas = {}, sent } = archived ?? {};
  if (!Object.hasOwn(fields, name) || !Object.hasOwn(fieldSchemas, name)) return undefined;
  const [known, schema] = [fields[name], fieldSchemas[name]];
  if (known === undefined || schema === undefined) return undefined;
  const now = trimmed(values);
  const isSame = isDeepStrictEqual(now, known) || (isObject(sent) && isDeepStrictEqual(now, trimmed(sent[name])));
  return isSame ? { values: known, schema } : undefined;
}

/** The values in normal form, and the schema that defines them. */
function checkGroup(
  values: unknown,
  pointer: string,
  findings: Findings,
  { group, archived }: { group: FieldGroup | undefined; archived: ArchivedGroup | undefined },
): [GroupValues, string] | undefined {
  if (group !== undefined) {
    const faults: Fault[] = [];
    const checked = checkValue({ type: "group", fields: group.fields }, values, pointer, faults);
    if (faults.length === 0 && singleValues(checked) > MOST_VALUES) {
      const detail = `The group has more than ${count(MOST_VALUES)} values.`;
      faults.push({ pointer, code: "metadata_too_large", detail });
    }
    if (faults.length === 0) return [checked as GroupValues, group.schema];
    if (archived === undefined) {
      for (const { pointer: at, code, detail } of faults) findings.error(at, code, detail);
      return undefined;
    }
  }
  if (archived === undefined) return undefined;
  if (group === undefined) {
    const detail = "The operator has removed this group of fields. Its archived values are kept as they are.";
    findings.warn(pointer, "field_group_retired", detail);
  } else {
    const detail = "The operator has changed this group of fields. The archived values are kept until you change them.";
    findings.warn(pointer, "field_values_outdated", detail);
  }
  return [archived.values, archived.schema];
}

interface Fault {
  pointer: string;
  code:
    | "wrong_type"
    | "wrong_value"
    | "too_long"
    | "too_short"
    | "required"
    | "field_unknown"
    | "date_invalid"
    | "address_invalid"
    | "mail_address_invalid"
    | "metadata_too_large";
  detail: string;
}

/** The value in normal form. What it returns is meaningless if there are faults. */
function checkValue(rule: FieldValue, value: unknown, pointer: string, faults: Fault[]): Value | undefined {
  switch (rule.type) {
    case "text":
      return checkText(rule, value, pointer, faults);
    case "number":
    case "integer":
      return checkNumber(rule, value, pointer, faults);
    case "boolean":
      if (typeof value === "boolean") return value;
      return fault(faults, pointer, "wrong_type", "The value must be true or false.");
    case "list":
      return checkList(rule, value, pointer, faults);
    case "group":
      return checkMembers(rule.fields ?? [], value, pointer, faults);
  }
}

function checkText(rule: FieldValue, value: unknown, pointer: string, faults: Fault[]): string | undefined {
  if (typeof value !== "string") return fault(faults, pointer, "wrong_type", "The value must be a string.");
  const text = givenText(value) ?? "";
  const length = Array.from(text).length;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, choices, format, pattern } = rule;
  if (choices !== undefined && !choices.some((choice) => choice.value === text))
    return wrongChoice(rule, pointer, faults);
  if (length > maxLength) {
    return fault(faults, pointer, "too_long", `The text must have at most ${several(maxLength, "character")}.`);
  }
  if (length < minLength) {
    return fault(faults, pointer, "too_short", `The text must have at least ${several(minLength, "character")}.`);
  }
  if (pattern !== undefined && !compiled(pattern).test(text)) {
    return fault(faults, pointer, "wrong_value", `The text must match the pattern ${pattern}`);
  }
  return format === undefined ? text : formatted(format, text, pointer, faults);
}

function formatted(
  format: NonNullable<FieldValue["format"]>,
  text: string,
  pointer: string,
  faults: Fault[],
): string | undefined {
  if (format === "date") {
    return (
      calendarDate(text) ??
      fault(faults, pointer, "date_invalid", "The value is not an existing date in the form YYYY-MM-DD.")
    );
  }
  if (format === "email") {
    return isMailAddress(text)
      ? text
      : fault(faults, pointer, "mail_address_invalid", "The value is not a plain e-mail address.");
  }
  const detail = "The value is not a web address that begins with https:// or http:// and contains no password.";
  return canonicalUrl(text) ?? fault(faults, pointer, "address_invalid", detail);
}

function checkNumber(rule: FieldValue, value: unknown, pointer: string, faults: Fault[]): number | undefined {
  const isWhole = rule.type === "integer";
  if (typeof value !== "number" || !Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) {
    return fault(faults, pointer, "wrong_type", `The value must be a ${isWhole ? "whole number" : "number"}.`);
  }
  if (rule.choices !== undefined && !rule.choices.some((choice) => choice.value === value)) {
    return wrongChoice(rule, pointer, faults);
  }
  const limits: [limit: number | undefined, holds: (limit: number) => boolean, words: string][] = [
    [rule.minimum, (limit) => value >= limit, "at least"],
    [rule.maximum, (limit) => value <= limit, "at most"],
    [rule.exclusiveMinimum, (limit) => value > limit, "greater than"],
    [rule.exclusiveMaximum, (limit) => value < limit, "less than"],
  ];
  for (const [limit, holds, words] of limits) {
    if (limit === undefined || holds(limit)) continue;
    return fault(faults, pointer, "wrong_value", `The value must be ${words} ${limit}.`);
  }
  // −0 has no JSON form of its own.
  return value + 0;
}

function checkList(rule: FieldValue, value: unknown, pointer: string, faults: Fault[]): Value[] | undefined {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = rule;
  if (!Array.isArray(value) || items === undefined) {
    return fault(faults, pointer, "wrong_type", "The value must be a list.");
  }
  if (value.length > maxItems) {
    return fault(faults, pointer, "too_long", `The list must have at most ${several(maxItems, "entry", "entries")}.`);
  }
  // Empty entries have no effect, as empty members.
  const checked = value.map((entry, index) =>
    isEmpty(entry) ? undefined : checkValue(items, entry, pointerTo(pointer, index), faults),
  );
  if (value.filter((entry) => !isEmpty(entry)).length < minItems) {
    fault(faults, pointer, "too_short", `The list must have at least ${several(minItems, "entry", "entries")}.`);
  }
  if (rule.uniqueItems === true) refuseRepeated(checked, pointer, faults);
  return checked.filter((entry) => entry !== undefined);
}

function refuseRepeated(values: (Value | undefined)[], pointer: string, faults: Fault[]): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(value);
    if (value !== undefined && seen.has(text)) {
      fault(faults, pointerTo(pointer, index), "wrong_value", "The value is already in the list.");
    }
    seen.add(text);
  }
}

function checkMembers(
  fields: readonly Field[],
  value: unknown,
  pointer: string,
  faults: Fault[],
): GroupValues | undefined {
  if (!isObject(value)) return fault(faults, pointer, "wrong_type", "The value must be an object.");
  for (const name of Object.keys(value)) {
    if (fields.some((field) => field.name === name)) continue;
    const meant = nearMiss(
      name,
      fields.map((field) => field.name),
    );
    const question = meant === undefined ? "" : ` Did you mean “${meant}”?`;
    fault(faults, pointerTo(pointer, name), "field_unknown", `The group has no field of this name.${question}`);
  }
  const members = fields.flatMap((field): [string, Value][] => {
    const at = pointerTo(pointer, field.name);
    const sent = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (isEmpty(sent)) {
      if (field.required) fault(faults, at, "required", `“${field.title}” is missing or empty.`);
      return [];
    }
    const checked = checkValue(field, sent, at, faults);
    return checked === undefined ? [] : [[field.name, checked]];
  });
  return Object.fromEntries(members);
}

function wrongChoice({ choices = [] }: FieldValue, pointer: string, faults: Fault[]): undefined {
  const values = choices.slice(0, 20).map(({ value }) => (typeof value === "string" ? `“${value}”` : value));
  const more = choices.length > values.length ? ` and ${choices.length - values.length} more` : "";
  return fault(faults, pointer, "wrong_value", `The value must be one of ${values.join(", ")}${more}.`);
}

/** Adds a fault. No detail quotes the value. */
function fault(faults: Fault[], pointer: string, code: Fault["code"], detail: string): undefined {
  faults.push({ pointer, code, detail });
}

function unknownGroup(name: string, pointer: string, findings: Findings, groups: readonly FieldGroup[]): void {
  const names = groups.map((group) => group.name);
  const known = names.length === 0 ? "This service has none." : `Known groups: ${names.join(", ")}.`;
  const meant = nearMiss(name, names);
  const question = meant === undefined ? "" : ` Did you mean “${meant}”?`;
  findings.error(pointer, "field_group_unknown", `There is no group of fields of this name. ${known}${question}`);
}

/** Whether a value has no text, number or truth value anywhere, as forms send untouched fields. */
function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return givenText(value) === undefined;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null;
}

/** The value with texts trimmed and empty members removed, to be compared with an archived one. */
function trimmed(value: unknown): unknown {
  if (typeof value === "string") return givenText(value) ?? "";
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.map(([name, member]) => [name, trimmed(member)]));
}

const patterns = new Map<string, RE2JS>();

/** The pattern, compiled once. RE2 matches in linear time, so that no pattern and no text can block the service. */
function compiled(pattern: string): RE2JS {
  const known = patterns.get(pattern) ?? RE2JS.compile(pattern);
  patterns.set(pattern, known);
  return known;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
