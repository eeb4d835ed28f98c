import { expect, test } from "vitest";
import { FAIR_CODES, isOpenFormat, missingFairPoints } from "./fair.ts";

test.each([
  ["data/table.csv", true],
  ["data/TABLE.CSV", true],
  ["data/reads.fastq.gz", true],
  ["data/scan.tif", true],
  ["data/old.xls", false],
  ["data/archive.gz", false],
  ["data/.csv", false],
  ["data.csv/noextension", false],
])("%s has an open format: %s", (path, expected) => {
  expect(isOpenFormat(path)).toBe(expected);
});

test("a dataset without optional metadata misses all recommendations, and one with them misses none", () => {
  const license = { name: "Terms of use", url: "https://example.org/terms" };
  const bare = { title: "t", authors: [{ role: "Creator", lastName: "x" }], subjects: [], license };
  const missing = missingFairPoints({ metadata: bare, hasOpenFormat: false, registersDois: false });
  expect(missing.map(({ code }) => code)).toEqual(FAIR_CODES);
  const full = {
    ...bare,
    subjectTerms: [{ subject: "barley" }],
    license: { spdx: "CC0-1.0", name: "CC0" },
    relatedIdentifiers: [{ relationType: "IsDescribedBy" as const, relatedIdentifier: "10.1/x" }],
    authors: [
      { role: "Creator", lastName: "x", orcid: "0000-0002-1825-0097", affiliations: [{ rorid: "https://ror.org/x" }] },
    ],
    fundingReferences: [{ funderName: "DFG" }],
  };
  expect(missingFairPoints({ metadata: full, hasOpenFormat: true, registersDois: true })).toEqual([]);
});

test("a related work without an identifier is named; an unknown licence has a finding of its own", () => {
  const metadata = {
    title: "t",
    authors: [{ role: "Creator", lastName: "x" }],
    subjects: ["s"],
    license: { name: "Terms of use" },
    relatedIdentifiers: [{ relationType: "IsDescribedBy" as const, citation: "Carberry 2026" }],
  };
  const codes = missingFairPoints({ metadata, hasOpenFormat: true, registersDois: true }).map(({ code }) => code);
  expect(codes).toEqual(["related_missing", "orcid_missing", "ror_missing", "funding_missing"]);
});
