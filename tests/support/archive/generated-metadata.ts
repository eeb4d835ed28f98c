import { readFileSync } from "node:fs";
import fc from "fast-check";
import * as terms from "../../../packages/rules/src/index.ts";
import { checkMetadata } from "../../../src/describe/metadata/check.ts";
import { readFieldSchema } from "../../../src/describe/metadata/fields/read-schema.ts";
import type { NormalizedMetadata, NormalizedRelation } from "../../../src/describe/metadata/normalized.ts";
import { canonicalUrl, identifierOf } from "../../../src/describe/metadata/values/identifier.ts";
import { givenText } from "../../../src/domain/blank.ts";
import { maximalMetadata } from "./maximal.ts";

const schema = readFileSync("docs/examples/miappe.json", "utf8");

/** Metadata with every member, normalised. */
export function maximalNormalized(): NormalizedMetadata {
  const miappe = { organisms: ["Hordeum"], observedVariables: ["Root depth"], dayTemperature: 21, irrigated: true };
  const { normalized, errors } = checkMetadata(
    { ...maximalMetadata, fields: { miappe } },
    { groups: [readFieldSchema("miappe", schema)] },
  );
  if (normalized === undefined) throw new Error(`The maximal metadata has errors: ${JSON.stringify(errors)}`);
  return normalized;
}

/** Metadata with the required members alone. */
export const minimalNormalized: NormalizedMetadata = {
  title: "t",
  authors: [{ role: "Creator", lastName: "x" }],
  subjects: [],
};

/** Metadata with any combination of members, reproducible. Texts contain all that can break a format. */
export function generatedMetadata(count: number): NormalizedMetadata[] {
  return fc.sample(anyMetadata, { numRuns: count, seed: 20261120 });
}

const odd = fc.constantFrom(
  "<a&b>",
  "]]>",
  "a:b",
  "//x",
  "#",
  "%",
  "%zz",
  "%41",
  "[x]",
  "a|b",
  "{",
  "}",
  '"',
  "ER  - ",
  "\ud800",
  "\0a",
  "ü 😀",
);
const text = fc
  .oneof(odd, fc.string({ unit: "binary", minLength: 1, maxLength: 12 }), fc.string({ minLength: 1, maxLength: 12 }))
  .map((value) => givenText(value) ?? "x");
const url = text.map((end) => canonicalUrl(`https://example.org/${end.replace(/\s/g, "")}`) ?? "https://example.org/");
const language = fc.constantFrom("de", "de-AT", "zh-Hant-TW", "tlh", "x-private");
const term = <T>(list: readonly T[]) => fc.constantFrom(...list);
const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value + 0);
const day = fc.constantFrom("2024", "2024-05", "2024-05-17", "2024-05/2024-07", "2024/", "/2024-02-29");
const ror = fc.constantFrom("https://ror.org/05gq02987", "https://ror.org/02skbsp27", "https://ror.org/00k4n6c32");

/** An object in which every member can be absent, except those named. */
const part = <T extends object>(
  members: { [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>> },
  required: (keyof T)[] = [],
) => fc.record(members, { requiredKeys: required as never }) as fc.Arbitrary<T>;
const some = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { minLength: 1, maxLength: 3 });

const identified = fc.tuple(term(terms.identifierTypes), text).map(([type, end]) => {
  const samples: Partial<Record<terms.IdentifierType, string>> = {
    ISBN: "978-3-16-148410-0",
    ISSN: "2049-3630",
    ARK: `ark:/12345/${end}`,
    URN: `urn:x:${end}`,
    w3id: `w3id.org/${end}`,
  };
  const candidates = [samples[type], `https://example.org/${end}`, `10.1234/${end}`, end, "2101.00001"];
  const identifier = candidates
    .map((candidate) => candidate && identifierOf(type, candidate))
    .find((one) => one !== undefined && one !== "");
  return identifier === undefined ? {} : { relatedIdentifier: identifier, relatedIdentifierType: type };
});

const relation: fc.Arbitrary<NormalizedRelation> = fc
  .tuple(
    identified,
    part<NormalizedRelation>(
      {
        relationType: term(terms.relationTypes),
        relatedIdentifier: fc.constant("10.1234/same"),
        relatedIdentifierType: fc.constant("DOI"),
        resourceTypeGeneral: term(terms.resourceTypes),
        citation: text,
      },
      ["relationType", "relatedIdentifier", "relatedIdentifierType", "citation"],
    ),
    fc.integer({ min: 0, max: 2 }),
  )
  .map(([identifier, { relatedIdentifier, relatedIdentifierType, citation, ...rest }, kind]) => {
    if (kind === 0) return { ...rest, citation: citation ?? "x" };
    const same = { relatedIdentifier, relatedIdentifierType } as object;
    return { ...rest, ...(kind === 1 && { citation: citation ?? "x" }), ...same, ...identifier };
  });

const author = part<NormalizedMetadata["authors"][number]>(
  {
    role: fc.constantFrom("Creator", "Contributor", "Translator", "DataCurator", "Chief Wizard"),
    nameType: term(terms.nameTypes),
    name: text,
    orcid: fc.constantFrom("0000-0002-1825-0097", "0000-0001-5109-3700"),
    firstName: text,
    lastName: text,
    affiliation: text,
    rorid: ror,
    affiliations: some(part<{ name?: string; rorid?: string }>({ name: text, rorid: ror }, ["name"])),
    address: text,
    zipCode: text,
    city: text,
    country: text,
  },
  ["role"],
);
const licence = part<NonNullable<NormalizedMetadata["license"]>>(
  { spdx: fc.constantFrom("MIT", "MIT OR Apache-2.0"), name: text, url },
  ["name"],
);

/** Values of one group, and its schema. Only both together are sensible; each can be absent like any other member. */
const ownFields = {
  fields: fc.record({ miappe: fc.record({ organisms: some(text), factors: some(fc.record({ name: text })) }) }),
  fieldSchemas: fc.constant({ miappe: schema }),
};

/** Metadata with any combination of members. */
export const anyMetadata = part<NormalizedMetadata>(
  {
    title: text,
    description: text,
    authors: some(author).map(([first, ...others]) => [{ ...first, role: "Creator", lastName: "x" }, ...others]),
    language,
    subjects: fc.array(text, { maxLength: 3 }),
    license: licence,
    embargoDate: fc.constantFrom("2020-01-01", "2029-03-01"),
    titles: some(part({ title: text, titleType: term(terms.titleTypes), language }, ["title", "titleType"])),
    descriptions: some(
      part({ description: text, descriptionType: term(terms.descriptionTypes), language }, [
        "description",
        "descriptionType",
      ]),
    ),
    contact: part({ name: text, email: fc.constant("a{b}?c#d%e@example.org"), public: fc.boolean() }, [
      "email",
      "public",
    ]),
    subjectTerms: some(
      part({ subject: text, subjectScheme: text, schemeUri: url, valueUri: url, classificationCode: text, language }, [
        "subject",
      ]),
    ),
    fundingReferences: some(
      part(
        {
          funderName: text,
          funderIdentifier: fc.oneof(ror, text),
          funderIdentifierType: term(terms.funderIdentifierTypes),
          awardNumber: text,
          awardTitle: text,
          awardUri: url,
        },
        ["funderName"],
      ),
    ),
    relatedIdentifiers: some(relation),
    dates: some(part({ date: day, dateType: term(terms.dateTypes), dateInformation: text }, ["date", "dateType"])),
    geoLocations: some(
      part(
        {
          geoLocationPlace: text,
          geoLocationPoint: fc.record({ pointLatitude: degrees(90), pointLongitude: degrees(180) }),
          geoLocationBox: fc.record({
            westBoundLongitude: degrees(180),
            eastBoundLongitude: degrees(180),
            southBoundLatitude: degrees(90),
            northBoundLatitude: degrees(90),
          }),
        },
        ["geoLocationPlace"],
      ),
    ),
    resourceTypeGeneral: term(terms.resourceTypes),
    resourceType: text,
    alternateIdentifiers: some(
      fc.record({
        alternateIdentifier: text,
        alternateIdentifierType: fc.constantFrom("Local", "DOI", "URL", "ARK", "URN"),
      }),
    ),
    versionLabel: text,
    licenses: some(
      part<{ license: NonNullable<NormalizedMetadata["license"]>; appliesTo?: string }>(
        { license: licence, appliesTo: text },
        ["license"],
      ),
    ),
    acknowledgements: text,
    ...ownFields,
  },
  ["title", "authors", "subjects"],
);
