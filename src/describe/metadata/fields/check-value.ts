import { RE2JS } from "re2js";
import { givenText, isMailAddress } from "../../../domain/blank.ts";
import { MOST_SUGGESTIONS, nearMiss } from "../../../domain/near-miss.ts";
import { several } from "../../../domain/numbers.ts";
import { mostRemarks, pointerTo } from "../../../domain/remarks.ts";
import { isObject } from "../../../domain/shape.ts";
import { calendarDate } from "../values/date.ts";
import { canonicalUrl } from "../values/identifier.ts";
import type { Field, FieldValue, GroupValues, Value } from "./field.ts";

/** A value that a rule does not allow. */
export interface Fault {
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
export function checkValue(rule: FieldValue, value: unknown, pointer: string, faults: Fault[]): Value | undefined {
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
    // A regular expression says nothing to most people; the operator's description says what is expected.
    const { description } = rule as FieldValue & Partial<Field>;
    const expected = description === undefined ? "" : ` ${description}`;
    return fault(faults, pointer, "wrong_value", `The text does not have the form of this field.${expected}`);
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
  const names = fields.map((field) => field.name);
  const known = new Set(names);
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue;
    if (faults.length >= mostRemarks) break;
    const meant = faults.length < MOST_SUGGESTIONS ? nearMiss(name, names) : undefined;
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

/** Whether a value has no text, number or truth value anywhere, as forms send untouched fields. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return givenText(value) === undefined;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null;
}

const patterns = new Map<string, RE2JS>();

/** The pattern, compiled once. RE2 matches in linear time, so that no pattern and no text can block the service. */
function compiled(pattern: string): RE2JS {
  const known = patterns.get(pattern) ?? RE2JS.compile(pattern);
  patterns.set(pattern, known);
  return known;
}
