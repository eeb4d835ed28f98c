import { expect, test } from "vitest";
import { countValues, statedValue, valueLeft, valueTyped, withValue } from "./values.ts";

const number = { type: "number" } as const;

test.each<[string, unknown, unknown]>([
  ["1", 1, 1],
  ["1.", "1.", 1],
  ["1.0", "1.0", 1],
  ["1.05", 1.05, 1.05],
  ["1,5", "1,5", 1.5],
  ["-0.5", -0.5, -0.5],
  ["1e3", "1e3", 1000],
  ["1e999", "1e999", "1e999"],
  ["1.000,5", "1.000,5", "1.000,5"],
  ["many", "many", "many"],
  ["-", "-", "-"],
  ["0x10", "0x10", "0x10"],
])("the number %s", (text, typed, left) => {
  expect(valueTyped(number, text)).toBe(typed);
  expect(valueLeft(number, typed)).toBe(left);
});

test("texts stay texts", () => {
  expect(valueTyped({ type: "text" }, "1")).toBe("1");
  expect(valueLeft({ type: "text" }, "1,5")).toBe("1,5");
});

test("blank values are not sent, and entries with fields keep their positions", () => {
  expect(statedValue({ a: " x ", b: "", c: [" ", "y"], d: [{}, { e: "z" }], f: { g: " " }, h: false, i: 0 })).toEqual({
    a: "x",
    c: ["y"],
    d: [{}, { e: "z" }],
    h: false,
    i: 0,
  });
});

test("a value that is removed leaves nothing", () => {
  expect(withValue({ a: 1, b: 2 }, "a", "")).toEqual({ b: 2 });
  expect(Object.keys(withValue({ a: 1, b: 2 }, "a", 3))).toEqual(["a", "b"]);
  expect(countValues({ a: [{}], b: "x", c: false, d: " " })).toBe(2);
});
