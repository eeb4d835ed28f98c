import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalOrcid, isniCheckDigit } from "./orcid.ts";

const josiah = "0000-0002-1825-0097";

test.each([
  josiah,
  "0000000218250097",
  `https://orcid.org/${josiah}`,
  `http://orcid.org/${josiah}/`,
  `https://www.orcid.org/${josiah}`,
  `ORCID.org/${josiah}`,
  ` ${josiah}\n`,
])("%j is Josiah Carberry", (text) => {
  expect(canonicalOrcid(text)).toBe(josiah);
});

test("the check digit ten is written as X or x", () => {
  expect(canonicalOrcid("0000-0002-1694-233x")).toBe("0000-0002-1694-233X");
});

test.each([
  ...[
    "",
    "0000-0002-1825-0098",
    "0000-0002-1825-009",
    "0000-0002-1825-00977",
    "X000-0002-1825-0097",
    "0000-0000-0000-0000",
  ],
  ...[`https://orcid.example/${josiah}`, `https://evil.example/orcid.org/${josiah}`, `${josiah}?x`, "Josiah Carberry"],
])("%j is not an ORCID iD", (text) => {
  expect(canonicalOrcid(text)).toBeUndefined();
});

const fifteen = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 15 })
  .map((digits) => digits.join(""));

test("exactly one check digit is correct", () => {
  fc.assert(
    fc.property(fifteen, (digits) => {
      const right = [..."0123456789X"].filter((check) => canonicalOrcid(digits + check) !== undefined);
      expect(right).toEqual([isniCheckDigit(digits)]);
    }),
  );
});

test("a single wrong digit is always detected", () => {
  fc.assert(
    fc.property(fifteen, fc.nat(14), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
      const wrong = digits.slice(0, at) + ((Number(digits[at]) + by) % 10) + digits.slice(at + 1);
      expect(canonicalOrcid(wrong + isniCheckDigit(digits))).toBeUndefined();
    }),
  );
});
