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
  `ORCID: ${josiah}`,
  `orcid:${josiah}`,
  `ORCID iD ${josiah}`,
  `https://orcid.org/my-orcid?orcid=${josiah}`,
  `https://orcid.org/${josiah}?lang=en`,
  `https://orcid.org/${josiah}/print`,
  "0000\u20110002\u20111825\u20110097",
  "0000\u20130002\u20131825\u20130097",
  "\u200b0000-0002-1825-0097\u200b",
  "0000 0002 1825 0097",
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

test.each(["0000-0001-5000-0007", "0000-0003-5000-0001", "0009-0000-0000-0000", "0009-0010-0000-0000"])(
  "%s is the first or last ORCID iD of a block",
  (id) => {
    const digits = id.replaceAll("-", "").slice(0, 15);
    const checked = `${id.slice(0, -1)}${isniCheckDigit(digits)}`;
    expect(canonicalOrcid(checked)).toBe(checked);
  },
);

test.each([
  "0000000094455866",
  "0000 0001 2103 2683",
  "https://orcid.org/0000-0001-2103-2683",
  "0000-0001-4999-9996",
  "0009-0010-0000-0019",
])("the ISNI %s is not an ORCID iD", (text) => {
  const digits = text.replace(/\D/g, "");
  const checked = digits.slice(0, 15) + isniCheckDigit(digits.slice(0, 15));
  expect(canonicalOrcid(checked)).toBeUndefined();
  expect(canonicalOrcid(text)).toBeUndefined();
});

const fifteen = fc
  .oneof(fc.integer({ min: 15_000_000, max: 35_000_000 }), fc.integer({ min: 900_000_000_000, max: 900_100_000_000 }))
  .map((number) => String(number).padStart(15, "0"));

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
