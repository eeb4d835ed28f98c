import type { Remark } from "../../../domain/problems.ts";
import { checkValue } from "./check-value.ts";
import type { FieldValue } from "./field.ts";

/** A rule that no value can satisfy. */
interface Contradiction {
  /** The keyword of the schema, and the index of a choice. */
  place: [keyword: string, index?: number];
  detail: string;
}

/** Length of a date in the form YYYY-MM-DD. */
const DATE_LENGTH = 10;

/** The rule of a value that contradicts its other rules, including the limits for which the schema states none. */
export function contradictionIn(rule: FieldValue): Contradiction | undefined {
  return limitsContradict(rule) ?? lengthsContradict(rule) ?? choicesContradict(rule);
}

function limitsContradict({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: FieldValue) {
  const isWhole = type === "integer";
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const isOpen = least === exclusiveMinimum || most === exclusiveMaximum;
  const first = least === exclusiveMinimum ? Math.floor(least) + 1 : Math.ceil(least);
  const last = most === exclusiveMaximum ? Math.ceil(most) - 1 : Math.floor(most);
  if (least < most && (!isWhole || first <= last)) return undefined;
  if (least === most && !isOpen && (!isWhole || Number.isInteger(least))) return undefined;
  const keyword = least === exclusiveMinimum ? "exclusiveMinimum" : "minimum";
  return contradiction(keyword, `No ${isWhole ? "whole number" : "number"} is between the minimum and the maximum.`);
}

function lengthsContradict(rule: FieldValue) {
  const { minLength = 0, maxLength = Infinity, minItems = 0, maxItems = Infinity } = rule;
  if (minLength > maxLength) {
    return contradiction("minLength", `The value is greater than “maxLength”, which is ${maxLength} by default.`);
  }
  if (minItems > maxItems) {
    return contradiction("minItems", `The value is greater than “maxItems”, which is ${maxItems} by default.`);
  }
  if (rule.format === "date" && maxLength < DATE_LENGTH) {
    return contradiction("maxLength", `A date has ${DATE_LENGTH} characters.`);
  }
  const values = rule.items?.type === "boolean" ? 2 : rule.items?.choices?.length;
  if (rule.uniqueItems !== true || values === undefined || values >= minItems) return undefined;
  return contradiction("minItems", `The entries must be different, and there are only ${values} possible values.`);
}

function choicesContradict(rule: FieldValue) {
  for (const [index, { value }] of (rule.choices ?? []).entries()) {
    const faults: Remark[] = [];
    checkValue(rule, value, { pointer: "", faults });
    if (faults[0] === undefined) continue;
    const detail = `The other rules of the field do not allow this choice: ${faults[0].detail}`;
    return { place: ["choices", index], detail } satisfies Contradiction;
  }
  return undefined;
}

function contradiction(keyword: string, detail: string): Contradiction {
  return { place: [keyword], detail };
}
