import { expect, test } from "vitest";
import { addressOfIdentifier } from "./identifiers.ts";

test.each([
  ["10.1234/roots.2026", "DOI", "https://doi.org/10.1234/roots.2026"],
  ["10.1002/(sici)1096<1::aid#1>3.0", "DOI", "https://doi.org/10.1002/(sici)1096%3C1::aid%231%3E3.0"],
  ["https://data.example.org/seeds/17", "URL", "https://data.example.org/seeds/17"],
  ["arXiv:2101.00001", "arXiv", "https://arxiv.org/abs/2101.00001"],
  ["978-3-16-148410-0", "ISBN", undefined],
  ["javascript:alert(1)", "URL", undefined],
])("the address of %s (%s) is %s", (identifier, type, address) => {
  expect(addressOfIdentifier(identifier, type)).toBe(address);
});
