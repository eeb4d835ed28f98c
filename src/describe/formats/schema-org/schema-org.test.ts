import { expect, test } from "vitest";
import { sampleFacts, sampleUrl } from "../../../../tests/support/archive/sample.ts";
import type { NormalizedMetadata } from "../../metadata/normalized.ts";
import { METADATA_FORMATS } from "../formats.ts";

type Members = Partial<NormalizedMetadata>;

const LONGEST = 5_000;
const described = (facts: ReturnType<typeof sampleFacts>) => ({
  facts: { ...facts, url: sampleUrl },
  query: "",
  downloads: [],
});
const write = (members: Members, more = {}) =>
  METADATA_FORMATS["schema-org"].write({ ...described(sampleFacts(members)), ...more });
const json = (members: Members, more = {}) => JSON.parse(write(members, more));

test("the descriptions are one text, with the description first", () => {
  const descriptions = [
    { description: "One folder for each week.", descriptionType: "TableOfContents" as const },
    { description: "With a camera.", descriptionType: "Methods" as const },
  ];
  expect(json({ description: "Heights of plants.", descriptions, acknowledgements: "Thanks." }).description).toBe(
    "Heights of plants.\n\nOne folder for each week.\n\nAcknowledgements: Thanks.",
  );
});

test.each([
  ["at a word", "word ".repeat(2_000), `${"word ".repeat(999)}word…`.slice(0, LONGEST)],
  ["between characters in texts without spaces", "麦".repeat(9_000), `${"麦".repeat(LONGEST - 1)}…`],
  ["never within a character", "🌾".repeat(9_000), `${"🌾".repeat(2_499)}…`],
])("a longer description than search engines accept is cut %s", (_, description, shown) => {
  const text = json({ description }).description;
  expect(text).toBe(shown);
  expect(text.length).toBeLessThanOrEqual(LONGEST);
  expect(json({ description: "x".repeat(LONGEST) }).description).toHaveLength(LONGEST);
});

test("the date of modification is that of the last change of metadata after publication", () => {
  expect(json({}).dateModified).toBeUndefined();
  expect(json({}, { revisedOn: "2027-02-03" }).dateModified).toBe("2027-02-03");
  expect(json({}, { revisedOn: "2026-11-20" }).dateModified).toBe("2026-11-20");
  expect(json({}, { revisedOn: "2026-11-19" }).dateModified).toBeUndefined();
});

test("other addresses of the same dataset are stated", () => {
  const members: Members = {
    alternateIdentifiers: [
      { alternateIdentifier: "10.1234/other", alternateIdentifierType: "DOI" },
      { alternateIdentifier: "B-17", alternateIdentifierType: "Local" },
    ],
    relatedIdentifiers: [
      { relationType: "IsIdenticalTo", relatedIdentifier: "https://x.example.org/1", relatedIdentifierType: "URL" },
      { relationType: "Cites", relatedIdentifier: "https://x.example.org/2", relatedIdentifierType: "URL" },
    ],
  };
  expect(json(members).sameAs).toEqual(["https://doi.org/10.1234/other", "https://x.example.org/1"]);
  expect(json({}).sameAs).toBeUndefined();
});
