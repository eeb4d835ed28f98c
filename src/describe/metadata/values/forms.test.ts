import { expect, test } from "vitest";
import { rows } from "../../../../tests/support/listed.ts";
import { coordinate } from "../checks/coverage.ts";
import { dateOrRange } from "./date-range.ts";
import { funderIdentifier } from "./funder.ts";

test.each<[string | number, "latitude" | "longitude", number | undefined]>([
  ["51.8267", "latitude", 51.8267],
  ["−11.28", "longitude", -11.28],
  ["N 51.8", "latitude", 51.8],
  ["W 11.28", "longitude", -11.28],
  ["S51° 30′", "latitude", -51.5],
  ["51º49'", "latitude", 51.8166667],
  ["1e-7", "longitude", 0],
  ["5.5e-6", "longitude", 0.0000055],
  [1e-7, "latitude", 0],
  [0.0000015, "latitude", 0.0000015],
  ["N 51.8 N", "latitude", undefined],
  ["N -51.8", "latitude", undefined],
  ["E 51.8", "latitude", undefined],
  ["−−11", "longitude", undefined],
  ["1e7", "longitude", undefined],
])("the coordinate “%s” (%s) is %s", (text, axis, degrees) => {
  expect(coordinate(text, axis)).toBe(degrees);
});

test("no coordinate is written with an exponent", () => {
  for (let value = 0; value < 2e-6; value += 1e-8) expect(String(coordinate(value, "latitude"))).not.toContain("e");
});

test.each([
  ...rows`
    2024-2025 → 2024/2025 | 2024–2025 → 2024/2025 | 2024—2025 → 2024/2025 | 2024 – 2025 → 2024/2025
    2024-12 → 2024-12 | 500 BC → -0499 | 500 BCE → -0499 | 500 B.C. → -0499 | 500 v. Chr. → -0499
    12000 BCE → -11999 | -0499 → -0499 | −0499 → -0499 | -0499/-0399 → -0499/-0399 | 500–400 BC → -0499/-0399
    500-400 BCE → -0499/-0399 | 500 to 400 v. Chr. → -0499/-0399 | 500 BC – 100 AD → -0499/0100
    500 BC/AD 100 → -0499/0100 | 500 BCE - 0100 → -0499/0100 | -0499/ → -0499/ | 800 AD → 0800
  `,
  ["2025-2024", undefined],
  ["2024-13", undefined],
  ["-0399/-0499", undefined],
  ["400–500 BC", undefined],
  ["0 BC", undefined],
  ["-0000", undefined],
  ["ca. 500 BC", undefined],
  ["500 BC/400 BC/300 BC", undefined],
])("the period “%s” is %s", (text, range) => {
  expect(dateOrRange(text)).toBe(range);
});

test.each([
  ["0000000121032683", "0000000121032683"],
  ["https://isni.org/isni/0000000121032683", "0000000121032683"],
  ["0000 0001 2103 2683", "0000000121032683"],
  ["0000000121032689", undefined],
])("the ISNI “%s” is %s", (text, identifier) => {
  expect(funderIdentifier(text)?.identifier).toBe(identifier);
});
