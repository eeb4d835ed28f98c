import fc from "fast-check";
import { expect, test } from "vitest";
import { compareKeys } from "./path.ts";

test("keys are ordered by their bytes", () => {
  const key = fc.string({ unit: fc.constantFrom("a", "/", "\0", "é", "\uE000", "\uFFFD", "😀", "𐀀"), maxLength: 6 });
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
