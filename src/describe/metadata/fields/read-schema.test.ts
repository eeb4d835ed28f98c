import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InvalidFieldSchema, readFieldSchema } from "./read-schema.ts";

const root = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const one = (schema: unknown) => root({ a: schema });

function placeOf(schema: unknown): string {
  try {
    readFieldSchema("own", typeof schema === "string" ? schema : JSON.stringify(schema));
  } catch (error) {
    if (error instanceof InvalidFieldSchema) return error.pointer;
    throw error;
  }
  return "accepted";
}

test("the example is read with its texts, choices, definitions and limits", () => {
  const group = readFieldSchema("miappe", readFileSync("docs/examples/miappe.json", "utf8"));
  expect(group).toMatchObject({ name: "miappe", required: false, titles: { de: expect.any(String) } });
  const field = (name: string) => group.fields.find((one) => one.name === name);
  expect(field("organisms")).toMatchObject({ type: "list", required: true, minItems: 1, items: { type: "text" } });
  expect(field("growthFacility")?.choices?.[1]).toEqual({
    value: "greenhouse",
    title: "Greenhouse",
    titles: { de: "Gewächshaus" },
  });
  expect(field("dayTemperature")).toMatchObject({ type: "number", minimum: -90, unit: "°C", variable: false });
  expect(field("observedVariables")?.variable).toBe(true);
  expect(field("factors")?.items?.fields?.map(({ name, required }) => [name, required])).toEqual([
    ["name", true],
    ["values", false],
  ]);
});

test("texts beside a reference replace those of the definition", () => {
  const { fields } = readFieldSchema(
    "own",
    JSON.stringify(
      root(
        { a: { $ref: "#/$defs/length", title: "Root length" } },
        { $defs: { length: { type: "number", title: "Length", "x-unit": "cm" } } },
      ),
    ),
  );
  expect(fields[0]).toMatchObject({ title: "Root length", unit: "cm" });
});

const text = { type: "string" };
const nested = (depth: number): object =>
  depth === 0 ? text : { type: "object", properties: { a: nested(depth - 1) } };

test("rules that few values satisfy are read", () => {
  const few = { type: "integer", minimum: 1, maximum: 1 };
  const one = { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 2, enum: [1.5] };
  const list = { type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 2_000, uniqueItems: true };
  expect(placeOf(root({ few, one, list, "a-b": { ...text, minLength: 20_000, maxLength: 20_000 } }))).toBe("accepted");
});

describe("an invalid schema is refused with its place", () => {
  test.each<[string, unknown]>([
    ["", "{"],
    ["", ""],
    ["", "[]"],
    ["", "null"],
    ["", `{"a": "${"x".repeat(64 * 1024)}"}`],
    ["/type", {}],
    ["/type", { type: ["object"] }],
    ["/type", { type: "string" }],
    ["/properties", root({})],
    ["/properties", { type: "object", properties: [] }],
    ["/$schema", root({ a: text }, { $schema: "http://json-schema.org/draft-07/schema#" })],
    ["/allOf", root({ a: text }, { allOf: [] })],
    ["/additionalProperties", root({ a: text }, { additionalProperties: true })],
    ["/required/0", root({ a: text }, { required: ["b"] })],
    ["/required", root({ a: text }, { required: "a" })],
    ["/required/0", root({ a: text }, { required: ["toString"] })],
    ["/x-required", root({ a: text }, { "x-required": "yes" })],
    ["/$defs", root({ a: text }, { $defs: [] })],
    ["/properties/a", one(true)],
    ["/properties/a", one(null)],
    ["/properties/a/type", one({})],
    ["/properties/a/type", one({ type: "null" })],
    ["/properties/a/type", one({ type: "constructor" })],
    ["/properties/a/type", one({ type: ["string", "null"] })],
    ["/properties/a b", root({ "a b": text })],
    ["/properties/1", root({ 1: text })],
    ["/properties/__proto__", `{"type": "object", "properties": {"__proto__": {"type": "string"}}}`],
    ["/properties/constructor", root({ constructor: text })],
    ["/properties/toString", root({ toString: text })],
    ["/properties/a/default", one({ ...text, default: "x" })],
    ["/properties/a/minimum", one({ ...text, minimum: 1 })],
    ["/properties/a/title", one({ ...text, title: 5 })],
    ["/properties/a/title", one({ ...text, title: " " })],
    ["/properties/a/x-titles/not a language", one({ ...text, "x-titles": { "not a language": "x" } })],
    ["/properties/a/x-titles/de", one({ ...text, "x-titles": { de: 1 } })],
    ["/properties/a/enum", one({ ...text, enum: [] })],
    ["/properties/a/enum/1", one({ ...text, enum: ["a", 1] })],
    ["/properties/a/enum/1", one({ ...text, enum: ["a", "a"] })],
    ["/properties/a/enum/0", one({ ...text, enum: [" a"] })],
    ["/properties/a/enum/0", one({ type: "number", enum: ["1"] })],
    ["/properties/a/oneOf", one({ ...text, enum: ["a"], oneOf: [{ const: "a" }] })],
    ["/properties/a/oneOf/0", one({ ...text, oneOf: ["a"] })],
    ["/properties/a/oneOf/0/type", one({ ...text, oneOf: [{ type: "string" }] })],
    ["/properties/a/pattern", one({ ...text, pattern: "(" })],
    ["/properties/a/pattern", one({ ...text, pattern: "(?=a)" })],
    ["/properties/a/pattern", one({ ...text, pattern: "(a)\\1" })],
    ["/properties/a/pattern", one({ ...text, pattern: "a".repeat(501) })],
    ["/properties/a/pattern", one({ ...text, pattern: "((a{1,1000}){1,1000}){1,1000}" })],
    ["/properties/a/format", one({ ...text, format: "hostname" })],
    ["/properties/a/minLength", one({ ...text, minLength: -1 })],
    ["/properties/a/maxLength", one({ ...text, maxLength: 1.5 })],
    ["/properties/a/minLength", one({ ...text, minLength: 5, maxLength: 4 })],
    ["/properties/a/minimum", one({ type: "number", minimum: "1" })],
    ["/properties/a/minimum", one({ type: "number", minimum: 5, maximum: 4 })],
    ["/properties/a/exclusiveMinimum", one({ type: "number", exclusiveMinimum: 5, exclusiveMaximum: 5 })],
    ["/properties/a/exclusiveMinimum", one({ type: "number", exclusiveMinimum: 5, maximum: 5 })],
    ["/properties/a/minimum", one({ type: "number", minimum: 5, exclusiveMaximum: 5 })],
    ["/properties/a/minimum", one({ type: "integer", minimum: 1.2, maximum: 1.8 })],
    ["/properties/a/exclusiveMinimum", one({ type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 2 })],
    ["/properties/a/minLength", one({ ...text, minLength: 20_000 })],
    ["/properties/a/maxLength", one({ ...text, format: "date", maxLength: 9 })],
    ["/properties/a/minItems", one({ type: "array", items: text, minItems: 5_000 })],
    ["/properties/a/minItems", one({ type: "array", items: { ...text, enum: ["a"] }, minItems: 2, uniqueItems: true })],
    ["/properties/a/enum/0", one({ type: "integer", enum: [1.5] })],
    ["/properties/a/enum/1", one({ type: "number", enum: [1, 9], maximum: 8 })],
    ["/properties/a/enum/0", one({ ...text, enum: ["x"], minLength: 5 })],
    ["/properties/a/oneOf/0", one({ ...text, oneOf: [{ const: "x" }], pattern: "^y" })],
    ["/properties/a", '{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"number"}}}'],
    ["/properties/a/enum", '{"type":"object","properties":{"a":{"type":"string","enum":["x,y"],"\\u0065num":["b"]}}}'],
    ["/properties/a/x-unit", one({ type: "number", "x-unit": "" })],
    ["/properties/a/items", one({ type: "array" })],
    ["/properties/a/items", one({ type: "array", items: [text] })],
    ["/properties/a/prefixItems", one({ type: "array", items: text, prefixItems: [] })],
    ["/properties/a/items/type", one({ type: "array", items: {} })],
    ["/properties/a/x-variable", one({ type: "number", "x-variable": true })],
    ["/properties/a/$ref", one({ $ref: "https://example.org/schema.json" })],
    ["/properties/a/$ref", one({ $ref: "#/$defs/missing" })],
    ["/properties/a/$ref", one({ $ref: "#" })],
    ["/$defs/b/$ref", root({ a: { $ref: "#/$defs/b" } }, { $defs: { b: { $ref: "#/$defs/b" } } })],
    ["/properties/a/properties/a/properties/a/properties/a/properties/a", one(nested(5))],
    [
      "/$defs/b/properties/c/$ref",
      root(
        { a: { $ref: "#/$defs/b" } },
        { $defs: { b: { type: "object", properties: { c: { $ref: "#/$defs/d" } } } } },
      ),
    ],
  ])("%s of %.80j", (place, schema) => {
    expect(placeOf(schema)).toBe(place);
  });

  test("definitions that contain themselves end at the deepest level", () => {
    const b = { type: "object", properties: { c: { $ref: "#/$defs/b" } } };
    expect(placeOf(root({ a: { $ref: "#/$defs/b" } }, { $defs: { b } }))).toMatch(/^\/\$defs\/b/);
  });

  test("more than 500 fields", () => {
    const names = Array.from({ length: 501 }, (_, index) => [`f${index}`, text]);
    expect(placeOf(root(Object.fromEntries(names)))).toBe("/properties/f500");
  });
});
