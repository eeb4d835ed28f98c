import { expect, test } from "vitest";
import { generatedMetadata, maximalNormalized } from "../../../../tests/support/archive/generated-metadata.ts";
import { hostileFacts, sampleFacts } from "../../../../tests/support/archive/sample.ts";
import { conceptAttributes, type DoiAttributes, doiAttributes } from "./doi-attributes.ts";
import { registrationViolations, schemaViolations } from "./schema-violations.ts";

const DOI = "10.5072/abcd2345";
const publication = {
  url: "https://archive.example.org/dataset/1?version=1",
  withdrawn: { day: "2026-11-21", reason: "A name in a <table>" },
};
const maximal = {
  ...sampleFacts({}, { publication: { issued: "2026-11-20", available: "2029-03-01" } }),
  metadata: maximalNormalized(),
};
const full = doiAttributes(maximal, publication);

test("the records of a version and of all versions are valid, also after a withdrawal", async () => {
  expect(await registrationViolations(DOI, full)).toEqual([]);
  const concept = conceptAttributes(maximal, publication, [DOI, "10.5072/efgh2345"]);
  expect(await registrationViolations(DOI, concept)).toEqual([]);
});

test("the records of 100 datasets, and of hostile metadata, are valid", async () => {
  const all = [hostileFacts(), ...generatedMetadata(100).map((metadata) => ({ ...sampleFacts(), metadata }))];
  for (const facts of all) expect(await registrationViolations(DOI, doiAttributes(facts, publication))).toEqual([]);
});

test("each violation names the property of the record, and no other record is affected", async () => {
  const broken = { ...full, language: "no language!", creators: [] } satisfies DoiAttributes;
  expect(await registrationViolations(DOI, broken)).toEqual([
    { property: "creators", message: "Element 'creators': Missing child element(s). Expected is ( creator )." },
    {
      property: "language",
      message: "Element 'language': 'no language!' is not a valid value of the atomic type 'xs:language'.",
    },
  ]);
  expect(await registrationViolations(DOI, full)).toEqual([]);
});

test("at most five violations are named, in short sentences", async () => {
  const places = Array.from({ length: 8 }, () => ({ geoLocationPoint: { pointLatitude: 1_000, pointLongitude: 0 } }));
  const found = await registrationViolations(DOI, { ...full, geoLocations: places, language: "x".repeat(2_000) });
  expect(found).toHaveLength(5);
  expect(found.every(({ message }) => message.length <= 301)).toBe(true);
});

test("another document has a violation without a property", async () => {
  expect(await schemaViolations("<other/>")).toEqual([
    { property: null, message: "Element 'other': No matching global declaration available for the validation root." },
  ]);
});

test("the network and other files are never read", async () => {
  const entity = `<!DOCTYPE resource [<!ENTITY x SYSTEM "file:///etc/hostname">]><resource>&x;</resource>`;
  const [violation] = await schemaViolations(entity);
  expect(violation?.message).toContain("resource");
});
