import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkMetadata } from "../check.ts";
import type { DefinedFields } from "./check-fields.ts";
import { readFieldSchema } from "./read-schema.ts";

const text = readFileSync("docs/examples/miappe.json", "utf8");
const groups = [readFieldSchema("miappe", text)];
const described = { title: "Barley roots", authors: [{ role: "Creator", lastName: "x" }] };
const check = (fields: unknown, options: Parameters<typeof checkMetadata>[1] = { groups }) =>
  checkMetadata({ ...described, fields }, options);
const faults = (fields: unknown, options?: Parameters<typeof checkMetadata>[1]) =>
  check(fields, options).errors.map(({ pointer, code }) => [pointer.replace("/metadata/fields", ""), code]);

test("values are normalised, and archived with the schema as it was configured", () => {
  const { normalized } = check({
    miappe: {
      organisms: [" Hordeum vulgare ", ""],
      plants: 96,
      sowingDate: "2026-03-02T08:00",
      germplasm: { source: "" },
    },
  });
  expect(normalized).toMatchObject({
    fields: { miappe: { organisms: ["Hordeum vulgare"], plants: 96, sowingDate: "2026-03-02" } },
    fieldSchemas: { miappe: text },
  });
  expect(normalized?.fields?.miappe).not.toHaveProperty("germplasm");
});

test("a group without values is not archived, and its required fields are not missed", () => {
  for (const fields of [{}, { miappe: {} }, { miappe: { organisms: [], germplasm: { accession: " " } } }]) {
    expect(check(fields)).toMatchObject({ errors: [] });
    expect(check(fields).normalized).not.toHaveProperty("fields");
  }
});

test("a required group is missed", () => {
  const required = [readFieldSchema("own", '{"type":"object","x-required":true,"properties":{"a":{"type":"string"}}}')];
  expect(faults(undefined, { groups: required })).toEqual([["/own", "required"]]);
  expect(faults({ own: { a: " " } }, { groups: required })).toEqual([["/own", "required"]]);
  expect(faults({ own: { a: "x" } }, { groups: required })).toEqual([]);
});

test("a group that is required since a dataset was archived is a warning, unless the dataset had it", () => {
  const required = [readFieldSchema("own", '{"type":"object","x-required":true,"properties":{"a":{"type":"string"}}}')];
  const without = check(undefined, { groups: required, archived: { sent: {} } });
  expect(without.errors).toEqual([]);
  expect(without.warnings).toContainEqual(
    expect.objectContaining({ code: "field_group_missing", pointer: "/metadata/fields/own" }),
  );
  expect(without.normalized?.title).toBe("Barley roots");
  const had = { fields: { own: { a: "x" } }, fieldSchemas: { own: required[0]?.schema ?? "" }, sent: {} };
  expect(faults(undefined, { groups: required, archived: had })).toEqual([["/own", "required"]]);
});

describe("a wrong value is an error at its place", () => {
  const organisms = ["Hordeum vulgare"];
  test.each<[object, [string, string][]]>([
    [{ plants: 1 }, [["/organisms", "required"]]],
    [{ organisms: "Hordeum" }, [["/organisms", "wrong_type"]]],
    [{ organisms: [1] }, [["/organisms/0", "wrong_type"]]],
    [{ organisms: ["a", "a "] }, [["/organisms/1", "wrong_value"]]],
    [{ organisms: ["x".repeat(201)] }, [["/organisms/0", "too_long"]]],
    [{ organisms, plants: "96" }, [["/plants", "wrong_type"]]],
    [{ organisms, plants: 1.5 }, [["/plants", "wrong_type"]]],
    [{ organisms, plants: 0 }, [["/plants", "wrong_value"]]],
    [{ organisms, growthFacility: "Greenhouse" }, [["/growthFacility", "wrong_value"]]],
    [{ organisms, sowingDate: "2026-02-30" }, [["/sowingDate", "date_invalid"]]],
    [{ organisms, irrigated: "true" }, [["/irrigated", "wrong_type"]]],
    [{ organisms, irrigated: false }, []],
    [{ organisms, germplasm: { accession: "hor 1" } }, [["/germplasm/accession", "wrong_value"]]],
    [{ organisms, germplasm: { source: "javascript:alert(1)" } }, [["/germplasm/source", "address_invalid"]]],
    [{ organisms, germplasm: [] }, []],
    [{ organisms, germplasm: "x" }, [["/germplasm", "wrong_type"]]],
    [{ organisms, factors: [{ values: ["a"] }] }, [["/factors/0/name", "required"]]],
    [{ organisms, factors: Array.from({ length: 51 }, () => ({ name: "x" })) }, [["/factors", "too_long"]]],
    [{ organisms, sowingdate: "2026-03-02" }, [["/sowingdate", "field_unknown"]]],
    [{ organisms, constructor: 1 }, [["/constructor", "field_unknown"]]],
  ])("%.100j", (values, expected) => {
    expect(faults({ miappe: values })).toEqual(expected.map(([place, code]) => [`/miappe${place}`, code]));
  });

  test("also for groups that are not configured or no objects", () => {
    expect(faults({ miape: { organisms } })).toEqual([["/miape", "field_group_unknown"]]);
    expect(check({ miape: { organisms } }).errors[0]?.detail).toContain("Did you mean “miappe”?");
    expect(faults({ miappe: "x" })).toEqual([["/miappe", "wrong_type"]]);
    expect(faults(["x"])).toEqual([["", "wrong_type"]]);
    expect(faults("x")).toEqual([["", "wrong_type"]]);
  });
});

test("a text that does not match the pattern is answered with the operator's description, not with the pattern", () => {
  const code = { type: "string", pattern: "^[A-Z]+$", description: "Capital letters." };
  const own = [readFieldSchema("own", JSON.stringify({ type: "object", properties: { code } }))];
  expect(check({ own: { code: "abc" } }, { groups: own }).errors.map(({ detail }) => detail)).toEqual([
    "The text does not have the form of this field. Capital letters.",
  ]);
});

test("more than 10,000 values of a group are refused", () => {
  const lists = { type: "array", maxItems: 100_000, items: { type: "integer" } };
  const own = [readFieldSchema("own", JSON.stringify({ type: "object", properties: { a: lists } }))];
  const values = (count: number) => ({ own: { a: Array.from({ length: count }, (_, index) => index) } });
  expect(faults(values(10_000), { groups: own })).toEqual([]);
  expect(faults(values(10_001), { groups: own })).toEqual([["/own", "metadata_too_large"]]);
});

test("a pattern that would need exponential time in other engines is matched", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string", pattern: "^(\\d+,?)*\\d+$", maxLength: 100_000 } },
  };
  const own = [readFieldSchema("own", JSON.stringify(schema))];
  // A backtracking engine needs longer than the age of the universe.
  expect(faults({ own: { a: `${"1".repeat(99_000)}x` } }, { groups: own })).toEqual([["/own/a", "wrong_value"]]);
});

describe("after the operator has changed the configuration", () => {
  const sent = { miappe: { organisms: ["Hordeum vulgare "] } };
  const { fields, fieldSchemas } = check(sent).normalized as Required<DefinedFields>;
  const archived = { fields, fieldSchemas, sent };

  test("unchanged values of a removed group stay, with a warning", () => {
    const { errors, warnings, normalized } = check(sent, { groups: [], archived });
    expect([errors, normalized?.fields, normalized?.fieldSchemas]).toEqual([[], fields, fieldSchemas]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "field_group_retired" }));
    expect(check(fields, { groups: [], archived }).errors).toEqual([]);
  });

  test("changed values of a removed group are errors, and the group can be removed", () => {
    const changed = { miappe: { organisms: ["Zea mays"] } };
    expect(faults(changed, { groups: [], archived })).toEqual([["/miappe", "field_group_unknown"]]);
    expect(check({}, { groups: [], archived }).normalized).not.toHaveProperty("fields");
  });

  test("unchanged values that the new schema refuses keep the old one; values that it accepts receive it", () => {
    const strict = readFieldSchema("miappe", text.replace('"required": ["organisms"]', '"required": ["plants"]'));
    const kept = check(sent, { groups: [strict], archived });
    expect([kept.errors, kept.normalized?.fieldSchemas]).toEqual([[], { miappe: text }]);
    expect(kept.warnings).toContainEqual(expect.objectContaining({ code: "field_values_outdated" }));
    const changed = { miappe: { organisms: ["Zea mays"] } };
    expect(faults(changed, { groups: [strict], archived })).toEqual([["/miappe/plants", "required"]]);
    const lenient = readFieldSchema("miappe", text.replace('"required": ["organisms"],', ""));
    expect(check(sent, { groups: [lenient], archived }).normalized?.fieldSchemas).toEqual({ miappe: lenient.schema });
  });
});

test("values are accepted exactly if a JSON Schema validator accepts them", () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text));
  const word = fc.constantFrom("Hordeum vulgare", "HOR 7428", "hor", "x".repeat(201), "a");
  const value = fc.oneof(
    word,
    fc.integer({ min: -100, max: 100 }),
    fc.double({ min: -100, max: 100, noNaN: true }),
    fc.boolean(),
  );
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
  const values = fc.record(
    {
      organisms: fc.oneof({ weight: 5, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }) }, value),
      growthFacility: maybe(fc.oneof(fc.constantFrom("field", "greenhouse"), value)),
      plants: maybe(value),
      irrigated: maybe(value),
      dayTemperature: maybe(value),
      observedVariables: maybe(fc.array(fc.oneof({ weight: 5, arbitrary: word }, value), { maxLength: 3 })),
      factors: maybe(
        fc.array(fc.record({ name: fc.oneof(word, value) }, { requiredKeys: [] }).filter((one) => "name" in one)),
      ),
      germplasm: maybe(fc.record({ accession: fc.oneof(word, value) })),
      other: fc.option(value, { nil: undefined, freq: 20 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(values, (sent) => {
      // Without undefined members, as JSON.
      const miappe = JSON.parse(JSON.stringify(sent));
      expect(faults({ miappe }).length === 0).toBe(validate(miappe));
    }),
    { numRuns: 2_000, seed: 20261124 },
  );
});

test("100,000 unknown names in a group of 500 fields take linear time", () => {
  const names = (total: number, length: number) =>
    Array.from({ length: total }, (_, index) =>
      Array.from({ length }, (_, place) => String.fromCharCode(97 + (Math.floor(index / 26 ** place) % 26))).join(""),
    );
  const properties = Object.fromEntries(names(500, 10).map((name) => [name, { type: "string" }]));
  const big = [readFieldSchema("big", JSON.stringify({ type: "object", properties }))];
  const values = Object.fromEntries(names(100_000, 11).map((name) => [name, "1"]));
  // Well under a second of processor time; comparing each name with each field takes minutes.
  const start = process.threadCpuUsage();
  const { errors } = check({ big: values }, { groups: big });
  expect(process.threadCpuUsage(start).user).toBeLessThan(20e6);
  expect(errors).toHaveLength(10_000);
  expect(errors[0]?.code).toBe("field_unknown");
  const groups = Object.fromEntries(names(60_000, 11).map((name) => [name, { a: "1" }]));
  expect(check(groups, { groups: big }).errors).toHaveLength(10_000);
});
