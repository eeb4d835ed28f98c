import fc from "fast-check";
import { expect, test } from "vitest";
import { HashTable, SetFingerprint } from "./hash-table.ts";

test("a table returns the same values as a map, also while it grows", () => {
  const entry = fc.tuple(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 200 }), fc.array(fc.string()), (entries, others) => {
      const table = new HashTable(1);
      const map = new Map<string, number>();
      for (const [text, value] of entries) {
        expect(table.set(text, value)).toBe(map.get(text) ?? 0);
        map.set(text, value);
      }
      expect(table.size).toBe(map.size);
      const order = [...map.keys()];
      for (const text of [...order, ...others]) {
        expect(table.get(text)).toBe(map.get(text));
        expect(table.ordinal(text)).toBe(map.has(text) ? order.indexOf(text) : undefined);
      }
    }),
  );
});

test("bits accumulate, and a cleared table is empty", () => {
  const table = new HashTable();
  expect([table.mark("a", 1), table.mark("a", 4), table.get("a")]).toEqual([0, 1, 5]);
  expect(table.some((bits) => bits === 5)).toBe(true);
  table.clear();
  expect([table.size, table.get("a"), table.some(() => true)]).toEqual([0, undefined, false]);
});

test("a fingerprint depends on the set and not on the order", () => {
  const of = (...texts: string[]) => {
    const set = new SetFingerprint();
    for (const text of texts) set.add(text);
    return set.toString();
  };
  expect(of("a", "b")).toBe(of("b", "a"));
  expect(of("a", "b")).not.toBe(of("a", "c"));
  expect(of("a")).not.toBe(of("a", "a"));
});
