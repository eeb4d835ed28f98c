import type { TSchema } from "typebox";
import { Settings } from "typebox/system";
import { Errors, Pointer } from "typebox/value";
import { MOST_SUGGESTIONS, nearMiss } from "./near-miss.ts";
import { Problem, type Remark } from "./problems.ts";
import { mostRemarks, pointerTo } from "./remarks.ts";

type Optional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? true : false;

const deepest = 64;
const mostValues = 200_000;

type Violation = ReturnType<typeof Errors>[number];

/**
 * The violations of `schema` in `value`, at most {@link mostRemarks}; `base` is the pointer of `value` itself.
 * Codes: `required` (at the missing member), `wrong_type`, `wrong_value`, `too_long`, `too_short`, `unknown_member`.
 * Lengths count Unicode code points. No detail ever quotes the value: it may be a secret.
 */
export function shapeFaults(schema: TSchema, value: unknown, base: string): Remark[] {
  if (value === undefined) return [{ pointer: base, code: "required", detail: "The value is missing." }];
  const violations = allViolations(schema, withShortLists(schema, value));
  let unknown = 0;
  const inBranches = Map.groupBy(violations.filter(isInBranch), (violation) => violation.instancePath);
  return violations
    .filter((violation) => !isInBranch(violation))
    .flatMap((violation) => {
      if (violation.keyword === "boolean") unknown += 1;
      return remarks(violation, base, {
        branches: inBranches.get(violation.instancePath) ?? [],
        schema,
        suggests: unknown <= MOST_SUGGESTIONS,
      });
    })
    .slice(0, mostRemarks);
}

/** Cuts lists to one entry more than allowed. They still count as too long, and further entries cost no time. */
function withShortLists(
  schema: TSchema & { properties?: Record<string, { maxItems?: number }> },
  value: unknown,
): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !schema.properties) return value;
  const limits = schema.properties;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const limit = Object.hasOwn(limits, name) ? limits[name]?.maxItems : undefined;
      return [name, Array.isArray(member) && limit !== undefined ? member.slice(0, limit + 1) : member];
    }),
  );
}

/** All violations. TypeBox stops after 8 unless a process-wide setting allows more; it is changed only during this call. */
function allViolations(schema: TSchema, value: unknown): Violation[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: mostRemarks });
  try {
    return Errors(schema, value);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** Whether the violation is in a branch of a union. Such violations are reported once, by the union. */
function isInBranch(violation: Violation): boolean {
  return violation.schemaPath.includes("/anyOf/");
}

function remarks(
  violation: Violation,
  base: string,
  { branches, schema, suggests }: { branches: Violation[]; schema: TSchema; suggests: boolean },
): Remark[] {
  const pointer = base + violation.instancePath;
  const remark = (code: Remark["code"], detail: string): Remark[] => [{ pointer, code, detail }];
  switch (violation.keyword) {
    case "required":
      return violation.params.requiredProperties.map((name) => ({
        pointer: pointerTo(pointer, name),
        code: "required",
        detail: `“${name}” is missing or empty.`,
      }));
    case "additionalProperties":
      return []; // Each such member also has a "boolean" violation, which is reported.
    case "boolean":
      return remark(
        "unknown_member",
        `This field is not known here.${suggests ? suggestion(...unknownAt(violation, schema)) : ""}`,
      );
    case "type":
      return remark(
        "wrong_type",
        `The value must be ${kinds([violation.params.type].flat())}${membersAt(violation, schema)}.`,
      );
    case "const":
      return remark("wrong_value", `The value must be ${choice([violation.params.allowedValue])}.`);
    case "enum":
      return remark("wrong_value", `The value must be ${choice(violation.params.allowedValues)}.`);
    case "anyOf":
      return remark(...unionFault(branches));
    case "maxLength":
      return remark("too_long", `The text must have at most ${count(violation.params.limit, "character")}.`);
    case "minLength":
      return remark("too_short", `The text must have at least ${count(violation.params.limit, "character")}.`);
    case "maxItems":
      return remark("too_long", `The list must have at most ${count(violation.params.limit, "entry")}.`);
    case "minItems":
      return remark("too_short", `The list must have at least ${count(violation.params.limit, "entry")}.`);
    case "minimum":
      return remark("wrong_value", `The value must be at least ${violation.params.limit}.`);
    case "maximum":
      return remark("wrong_value", `The value must be at most ${violation.params.limit}.`);
    default:
      return remark("wrong_value", "The value does not have the required form.");
  }
}

/** The required members of a required object: “ with “id””; empty if it has none. */
function membersAt({ schemaPath }: Violation, schema: TSchema): string {
  const wanted = Pointer.Get(schema, schemaPath.slice(1)) as { required?: string[] } | undefined;
  const names = (wanted?.required ?? []).map((name) => `“${name}”`);
  return names.length === 0 ? "" : ` with ${names.join(" and ")}`;
}

/** The name of an unknown member, and the schema that does not contain it. */
function unknownAt({ instancePath, schemaPath }: Violation, schema: TSchema): [string, object] {
  const name = (instancePath.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
  const place = schemaPath.slice(1).replace(/\/additionalProperties$/, "");
  return [name, (place === "" ? schema : (Pointer.Get(schema, place) as object | undefined)) ?? {}];
}

function unionFault(branches: Violation[]): [code: "wrong_type" | "wrong_value", detail: string] {
  const constants = branches.flatMap((branch) => (branch.keyword === "const" ? [branch.params.allowedValue] : []));
  if (constants.length > 0) return ["wrong_value", `The value must be ${choice(constants)}.`];
  const types = branches.flatMap((branch) => (branch.keyword === "type" ? [branch.params.type].flat() : []));
  if (types.length > 0) return ["wrong_type", `The value must be ${kinds(types)}.`];
  return ["wrong_value", "The value does not have any of the allowed forms."];
}

const kindNames: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["integer", "a whole number"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "a list"],
]);

function kinds(types: string[]): string {
  return types.map((type) => kindNames.get(type) ?? type).join(" or ");
}

/** Lists the values that a schema allows. Never quotes the value that was sent. */
function choice(values: unknown[]): string {
  const names = values.map((value) => (typeof value === "string" ? `“${value}”` : String(value)));
  return names.length === 1 ? names.join() : `one of ${names.join(", ")}`;
}

function count(limit: number | bigint, unit: "character" | "entry"): string {
  const units = { character: "characters", entry: "entries" };
  return `${limit.toLocaleString("en")} ${limit === 1 ? unit : units[unit]}`;
}
/**
 * Warnings about members of an object that are not in the schema. For objects that keep unknown members; if
 * `additionalProperties` is false, {@link shapeFaults} reports them as errors.
 */
export function unknownMembers(schema: { properties: object }, value: unknown, base: string): Remark[] {
  return unknownNames(schema, value)
    .slice(0, mostRemarks)
    .map((name, index) => ({
      pointer: pointerTo(base, name),
      code: "unknown_member",
      detail: `This field is not known and has no effect.${index < MOST_SUGGESTIONS ? suggestion(name, schema) : ""}`,
    }));
}

/** The names of all members that are not in the schema. */
export function unknownNames(schema: { properties: object }, value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
}

/** A question to append to a message about an unknown name, if the name resembles a known one; otherwise empty. */
function suggestion(name: string, { properties = {} }: { properties?: object }): string {
  const meant = nearMiss(name, Object.keys(properties));
  return meant === undefined ? "" : ` Did you mean “${meant}”?`;
}

/**
 * A deep copy of a parsed JSON value without object members that are `""` or `null`: both mean "not given". List entries
 * keep their positions, so that pointers into lists remain correct. Members named `__proto__` or `constructor` are copied
 * as plain data.
 * @throws Problem `bad_request` beyond 64 levels of nesting, `body_too_large` beyond 200,000 values.
 */
export function withoutEmpty(value: unknown): unknown {
  let values = 0;
  const copy = (item: unknown, depth: number): unknown => {
    values += 1;
    if (values > mostValues)
      throw new Problem("body_too_large", `The body contains more than ${mostValues.toLocaleString("en")} values.`);
    if (typeof item !== "object" || item === null) return item;
    refuseDeeper(depth);
    if (Array.isArray(item)) return item.map((entry) => copy(entry, depth + 1));
    // fromEntries defines members instead of assigning them, so a member "__proto__" does not change the prototype.
    return Object.fromEntries(
      Object.entries(item)
        .filter(([, member]) => isGiven(member))
        .map(([name, member]) => [name, copy(member, depth + 1)]),
    );
  };
  return copy(value, 1);
}

function isGiven(member: unknown): boolean {
  return member !== "" && member !== null && member !== undefined;
}

/**
 * A `wrong_value` for every string and member name that cannot be stored in the database or in UTF-8: those with U+0000
 * or with a lone surrogate (ECMA-262 `String.prototype.isWellFormed`).
 * @throws Problem `bad_request` beyond 64 levels of nesting.
 */
export function textFaults(value: unknown, base: string): Remark[] {
  const faults: Remark[] = [];
  const refuse = (pointer: string, what: string) => {
    if (faults.length >= mostRemarks) return;
    const detail = `${what} contains a NUL character or half of a surrogate pair.`;
    faults.push({ pointer, code: "wrong_value", detail });
  };
  const walk = (item: unknown, pointer: string, depth: number): void => {
    if (typeof item === "string" && !isStorable(item)) refuse(pointer, "The text");
    if (typeof item !== "object" || item === null) return;
    refuseDeeper(depth);
    for (const [name, member] of Object.entries(item)) {
      const place = pointerTo(pointer, name);
      if (!isStorable(name)) refuse(place, "The name of the field");
      walk(member, place, depth + 1);
    }
  };
  walk(value, base, 1);
  return faults;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function refuseDeeper(depth: number): void {
  if (depth > deepest) throw new Problem("bad_request", `The body is nested more than ${deepest} levels deep.`);
}

/**
 * The same members without those that are `undefined`: under `exactOptionalPropertyTypes` an optional member is absent,
 * not undefined. The caller names every member, so none is forgotten.
 */
export function withoutUndefined<T extends object>(
  members: {
    [K in keyof T]-?: Optional<T, K> extends true ? T[K] | undefined : T[K];
  },
): T {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as T;
}

/** Whether a value is an object, and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
