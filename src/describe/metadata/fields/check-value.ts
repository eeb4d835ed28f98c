import { RE2JS } from "re2js";
import { givenText, isMailAddress } from "../../../domain/blank.ts";
import { MOST_SUGGESTIONS, nearMiss } from "../../../domain/near-miss.ts";
import { several } from "../../../domain/numbers.ts";
import type { Code, Remark } from "../../../domain/problems.ts";
import { mostRemarks, pointerTo } from "../../../domain/remarks.ts";
import { isObject } from "../../../domain/shape.ts";
import { calendarDate } from "../values/date.ts";
import { canonicalUrl } from "../values/identifier.ts";
import type { Field, FieldValue, GroupValues, Value } from "./field.ts";

/** Where a value is, and the faults that were found. */
interface At {
  pointer: string;
  faults: Remark[];
}

/** The value in normal form. What it returns is meaningless if there are faults. */
export function checkValue(rule: FieldValue, value: unknown, at: At): Value | undefined {
  switch (rule.type) {
    case "text":
      return checkText(rule, value, at);
    case "number":
    case "integer":
      return checkNumber(rule, value, at);
    case "boolean":
      if (typeof value === "boolean") return value;
      return fault(at, "wrong_type", "The value must be true or false.");
    case "list":
      return checkList(rule, value, at);
    case "group":
      return checkMembers(rule.fields ?? [], value, at);
  }
}

function checkText(rule: FieldValue, value: unknown, at: At): string | undefined {
  if (typeof value !== "string") return fault(at, "wrong_type", "The value must be a string.");
  const text = givenText(value) ?? "";
  const length = Array.from(text).length;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, choices, format, pattern } = rule;
  if (choices !== undefined && !choices.some((choice) => choice.value === text)) return wrongChoice(rule, at);
  if (length > maxLength) {
    return fault(at, "too_long", `The text must have at most ${several(maxLength, "character")}.`);
  }
  if (length < minLength) {
    return fault(at, "too_short", `The text must have at least ${several(minLength, "character")}.`);
  }
  if (pattern !== undefined && !compiled(pattern).test(text)) {
    // A regular expression says nothing to most people; the operator's description says what is expected.
    const { description } = rule as FieldValue & Partial<Field>;
    const expected = description === undefined ? "" : ` ${description}`;
    return fault(at, "wrong_value", `The text does not have the form of this field.${expected}`);
  }
  return format === undefined ? text : formatted(format, text, at);
}

function formatted(format: NonNullable<FieldValue["format"]>, text: string, at: At): string | undefined {
  if (format === "date") {
    return calendarDate(text) ?? fault(at, "date_invalid", "The value is not an existing date in the form YYYY-MM-DD.");
  }
  if (format === "email") {
    return isMailAddress(text) ? text : fault(at, "mail_address_invalid", "The value is not a plain e-mail address.");
  }
  const detail = "The value is not a web address that begins with https:// or http:// and contains no password.";
  return canonicalUrl(text) ?? fault(at, "address_invalid", detail);
}

function checkNumber(rule: FieldValue, value: unknown, at: At): number | undefined {
  const isWhole = rule.type === "integer";
  if (typeof value !== "number" || !Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) {
    return fault(at, "wrong_type", `The value must be a ${isWhole ? "whole number" : "number"}.`);
  }
  if (rule.choices !== undefined && !rule.choices.some((choice) => choice.value === value)) {
    return wrongChoice(rule, at);
  }
  const limits: [limit: number | undefined, holds: (limit: number) => boolean, words: string][] = [
    [rule.minimum, (limit) => value >= limit, "at least"],
    [rule.maximum, (limit) => value <= limit, "at most"],
    [rule.exclusiveMinimum, (limit) => value > limit, "greater than"],
    [rule.exclusiveMaximum, (limit) => value < limit, "less than"],
  ];
  for (const [limit, holds, words] of limits) {
    if (limit === undefined || holds(limit)) continue;
    return fault(at, "wrong_value", `The value must be ${words} ${limit}.`);
  }
  // −0 has no JSON form of its own.
  return value + 0;
}

function checkList(rule: FieldValue, value: unknown, at: At): Value[] | undefined {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = rule;
  if (!Array.isArray(value) || items === undefined) {
    return fault(at, "wrong_type", "The value must be a list.");
  }
  if (value.length > maxItems) {
    return fault(at, "too_long", `The list must have at most ${several(maxItems, "entry", "entries")}.`);
  }
  // Empty entries have no effect, as empty members.
  const checked = value.map((entry, index) =>
    isEmpty(entry) ? undefined : checkValue(items, entry, below(at, index)),
  );
  if (value.filter((entry) => !isEmpty(entry)).length < minItems) {
    fault(at, "too_short", `The list must have at least ${several(minItems, "entry", "entries")}.`);
  }
  if (rule.uniqueItems === true) refuseRepeated(checked, at);
  return checked.filter((entry) => entry !== undefined);
}

function refuseRepeated(values: (Value | undefined)[], at: At): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(value);
    if (value !== undefined && seen.has(text)) {
      fault(below(at, index), "wrong_value", "The value is already in the list.");
    }
    seen.add(text);
  }
}

function checkMembers(fields: readonly Field[], value: unknown, at: At): GroupValues | undefined {
  if (!isObject(value)) return fault(at, "wrong_type", "The value must be an object.");
  const names = fields.map((field) => field.name);
  const known = new Set(names);
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue;
    if (at.faults.length >= mostRemarks) break;
    const meant = at.faults.length < MOST_SUGGESTIONS ? nearMiss(name, names) : undefined;
    const question = meant === undefined ? "" : ` Did you mean “${meant}”?`;
    fault(below(at, name), "field_unknown", `The group has no field of this name.${question}`);
  }
  const members = fields.flatMap((field): [string, Value][] => {
    const inner = below(at, field.name);
    const sent = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (isEmpty(sent)) {
      if (field.required) fault(inner, "required", `“${field.title}” is missing or empty.`);
      return [];
    }
    const checked = checkValue(field, sent, inner);
    return checked === undefined ? [] : [[field.name, checked]];
  });
  return Object.fromEntries(members);
}

function wrongChoice({ choices = [] }: FieldValue, at: At): undefined {
  const values = choices.slice(0, 20).map(({ value }) => (typeof value === "string" ? `“${value}”` : value));
  const more = choices.length > values.length ? ` and ${choices.length - values.length} more` : "";
  return fault(at, "wrong_value", `The value must be one of ${values.join(", ")}${more}.`);
}

/** Adds a fault. No detail quotes the value. */
function fault({ pointer, faults }: At, code: Code, detail: string): undefined {
  faults.push({ pointer, code, detail });
}

function below({ pointer, faults }: At, name: string | number): At {
  return { pointer: pointerTo(pointer, name), faults };
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
