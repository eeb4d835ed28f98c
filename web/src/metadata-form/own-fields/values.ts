import type { FieldValue } from "../../api/field-groups.ts";

/** Values of one group of the operator's fields, in the form of the API. Numbers that are being typed are texts. */
export type GroupValues = Readonly<Record<string, unknown>>;

/** Whether there is no text, number or truth value anywhere in a value. */
export function isBlankValue(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.every(isBlankValue);
  if (typeof value === "object" && value !== null) return Object.values(value).every(isBlankValue);
  return value === undefined || value === null;
}

/** The number of values. A list counts as one. */
export function countValues(values: GroupValues): number {
  return Object.values(values).filter((value) => !isBlankValue(value)).length;
}

/** The members with another value for one of them. A member without a value is removed. */
export function withValue(values: GroupValues, name: string, value: unknown): GroupValues {
  const { [name]: _, ...others } = values;
  const isGone = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  // In place, so that the order of the members does not change with every key.
  if (!isGone && Object.hasOwn(values, name)) return { ...values, [name]: value };
  return isGone ? others : { ...others, [name]: value };
}

/** The value to send: without blank members, and without spaces at the ends of texts. Entries of lists keep their positions. */
export function statedValue(value: unknown): unknown {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value))
    return value.filter((entry) => typeof entry !== "string" || !isBlankValue(entry)).map(statedValue);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !isBlankValue(member));
  return Object.fromEntries(members.map(([name, member]) => [name, statedValue(member)]));
}

/** A number that was typed, with a comma or a point. Other texts stay, so that the service can name the mistake. */
export function numberTyped(text: string): number | string {
  const written = text.trim().replace(/^([+-]?\d*),(\d+)$/, "$1.$2");
  const number = Number(written);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(written) && Number.isFinite(number) ? number : text;
}

/** A typed text as a value: a number only if it reads the same, so that “1.0” can become “1.05”. */
export function valueTyped({ type }: Pick<FieldValue, "type">, text: string): unknown {
  if (type !== "number" && type !== "integer") return text;
  const number = numberTyped(text);
  return String(number) === text ? number : text;
}

/** The value when the user leaves the field: “1.50” and “1,5” become numbers. */
export function valueLeft({ type }: Pick<FieldValue, "type">, value: unknown): unknown {
  return (type === "number" || type === "integer") && typeof value === "string" ? numberTyped(value) : value;
}
