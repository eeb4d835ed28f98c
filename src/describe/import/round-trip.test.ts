import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contributorTypes, type DateType } from "../../../packages/rules/src/index.ts";
import { anyMetadata, maximalNormalized } from "../../../tests/support/archive/generated-metadata.ts";
import { exportInputOf, factsOf } from "../../../tests/support/archive/sample.ts";
import { csl } from "../formats/csl.ts";
import { dataciteJson } from "../formats/datacite/datacite.ts";
import { dataciteXml } from "../formats/datacite/datacite-xml.ts";
import { validUri } from "../formats/iri.ts";
import { uriOfRelation } from "../formats/relation.ts";
import { Crate } from "../formats/ro-crate/ro-crate.ts";
import { agentOf } from "../metadata/agent.ts";
import { checkMetadata } from "../metadata/check.ts";
import type { NormalizedAuthor, NormalizedMetadata } from "../metadata/normalized.ts";
import type { FileKind } from "./file-kinds.ts";
import { readMetadataFile } from "./read-metadata-file.ts";

type Members = Partial<NormalizedMetadata>;

/** Characters that a reader rightly takes for markup or footnote marks, or that formats cannot contain. */
const UNUSUAL = /[<>&*†‡§¶#\p{C}\p{Zl}\p{Zp}]/gu;

/** A copy with texts that are not changed by trimming, and that do not stand for a missing value. */
function plain(value: unknown): unknown {
  if (typeof value === "string" && /^https?:/.test(value)) return validUri(value);
  if (typeof value === "string") return `t${value.replace(UNUSUAL, "")}`.replace(/\s+/g, " ").trim();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const kept =
    /^(?:role|orcid|language|.*(?:(?<!resource)Type|TypeGeneral|date|Date)|relatedIdentifier|funderIdentifier)$/;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      // DataCite XML writes codes as URIs.
      return [
        name,
        name === "classificationCode"
          ? `c${String(inner).replace(/\W/g, "")}`
          : kept.test(name)
            ? identifying(inner)
            : plain(inner),
      ];
    }),
  );
}

function identifying(value: unknown): unknown {
  return typeof value === "string" ? value.replace(UNUSUAL, "") : value;
}

/** Generated metadata as a client sends them, normalised; undefined if the check refuses them. */
function submitted({ license, licenses, contact: _, fields: _f, fieldSchemas: _s, ...rest }: NormalizedMetadata) {
  const text = (one: NormalizedMetadata["license"]) => one && (one.spdx ?? plain(one.url ?? one.name));
  const sent = {
    ...(plain(rest) as object),
    license: text(license),
    licenses: licenses?.map((one) => ({ ...(plain(one) as object), license: text(one.license) })),
  };
  return checkMetadata(JSON.parse(JSON.stringify(sent))).normalized;
}

const metadata = anyMetadata
  .map(submitted)
  .filter((one) => one !== undefined)
  .filter(isDistinct);

/** Whether no two authors or terms share an id or a name: formats with linked entities state such things once. */
function isDistinct({
  authors,
  license,
  licenses,
  subjectTerms = [],
  relatedIdentifiers = [],
  fundingReferences = [],
}: NormalizedMetadata): boolean {
  const ids = [
    authors.map(({ orcid }) => orcid),
    authors.map((author) => agentOf(author).name),
    authors.flatMap((author) => agentOf(author).affiliations.map(({ ror }) => ror)),
    subjectTerms.map(({ subject }) => subject),
    subjectTerms.flatMap(({ valueUri, schemeUri }) => [valueUri, schemeUri]),
    fundingReferences.map(({ awardUri }) => awardUri),
    relatedIdentifiers.map(({ relatedIdentifier }) => relatedIdentifier),
  ].map((list) => list.filter((one) => one !== undefined));
  // DataCite does not tell the licences of parts from that of the dataset, of which a known one counts.
  const isClear = licenses === undefined || license === undefined || license.spdx !== undefined;
  return isClear && ids.every((list) => new Set(list).size === list.length);
}

function hasWholeName({ authors }: NormalizedMetadata): boolean {
  return authors.map(agentOf).some(({ kind, family, given }) => kind === "person" && (family ?? given) === undefined);
}

function readBack(kind: FileKind, text: string): Members {
  const { values } = readMetadataFile(kind, Buffer.from(text));
  const { normalized, errors } = checkMetadata(values);
  expect(errors).toEqual([]);
  return normalized ?? {};
}

/** Without the URL, which is an identifier, too. */
const archived = (one: NormalizedMetadata) => ({ ...factsOf(one), url: undefined });

const RESOLVER = /^https:\/\/(?:hdl\.handle\.net|raid\.org|igsn\.org)\//;

/** What a format has a place for, of the metadata or of what is read back. */
type Projection = (metadata: Members) => unknown;

const creatorsFirst = (authors: readonly NormalizedAuthor[] = []) =>
  authors.toSorted((one, other) => Number(other.role === "Creator") - Number(one.role === "Creator"));

const roles: readonly string[] = ["Creator", ...contributorTypes];

const people =
  (roleOf: (role: string) => string): Projection =>
  ({ authors }) =>
    creatorsFirst(authors).flatMap((author) => {
      const { kind, name, family, given, orcid, ror, affiliations, isNamed } = agentOf(author);
      // A name in one text is read as a name in parts.
      const isWhole = kind === "person" && family === undefined && given === undefined;
      const role = roleOf(author.role);
      return isNamed && !isWhole ? [{ kind, name, family, given, orcid, ror, affiliations, role }] : [];
    });
/** Each value once, in an order that does not depend on that of the members. */
const unique = (list: readonly unknown[]) => [...new Set(list.map((one) => JSON.stringify(sortedMembers(one))))].sort();

function sortedMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([name, inner]) => [name, sortedMembers(inner)]),
  );
}

const common: Record<string, Projection> = {
  title: ({ title }) => title,
  description: ({ description }) => description,
  language: ({ language }) => language,
  licence: ({ license }) => license?.spdx ?? license?.url ?? license?.name,
  "resource type": ({ resourceTypeGeneral }) => resourceTypeGeneral ?? "Dataset",
  "exact resource type": ({ resourceType, resourceTypeGeneral }) =>
    resourceType === resourceTypeGeneral ? undefined : resourceType,
  version: ({ versionLabel }) => versionLabel ?? "1",
  acknowledgements: ({ acknowledgements }) => acknowledgements,
  places: ({ geoLocations = [] }) => unique(geoLocations),
  identifiers: ({ alternateIdentifiers = [] }) =>
    unique(
      alternateIdentifiers
        // Formats with a place for the type write it before identifiers that do not state it.
        .map(({ alternateIdentifier }) => alternateIdentifier.replace(/^URN:(?!uuid:)/i, ""))
        .filter((one) => !one.startsWith("urn:uuid:")),
    ),
  subjects: ({ subjects = [], subjectTerms = [] }) =>
    [...new Set([...subjects, ...subjectTerms.map(({ subject }) => subject)])].sort(),
};

const datacite: Record<string, Projection> = {
  ...common,
  people: people((role) => (roles.includes(role) ? role : "Other")),
  titles: ({ titles = [] }) => unique(titles),
  descriptions: ({ descriptions = [] }) => unique(descriptions),
  terms: ({ subjectTerms = [] }) =>
    unique(subjectTerms.filter(({ subject: _, language: _l, ...rest }) => Object.keys(rest).length > 0)),
  funding: ({ fundingReferences = [] }) => unique(fundingReferences),
  dates: ({ dates = [] }) => unique(dates),
  relations: ({ relatedIdentifiers = [] }) =>
    unique(
      relatedIdentifiers.map(({ citation, ...rest }) =>
        rest.relatedIdentifier === undefined ? { resourceTypeGeneral: "Other", ...rest, citation } : rest,
      ),
    ),
  "licences of parts": ({ licenses = [], license }) =>
    unique(
      licenses.filter(
        (one) => one.license.spdx !== undefined && (one.appliesTo !== undefined || one.license.spdx !== license?.spdx),
      ),
    ),
};

const crate: Record<string, Projection> = {
  ...common,
  people: people((role) => (role === "Creator" ? role : "Contributor")),
  titles: ({ titles = [] }) => unique(titles.map(({ title }) => title)),
  descriptions: ({ descriptions = [] }) =>
    unique(descriptions.map(({ description, descriptionType }) => [description, descriptionType === "Methods"])),
  terms: ({ subjectTerms = [] }) => unique(subjectTerms.map(({ language: _, ...term }) => term)),
  funders: ({ fundingReferences = [] }) => unique(fundingReferences.map(({ funderName }) => funderName)),
  // A crate identifies a resource by an address: those of a DOI, and of the same Handle, lead to the same resource, in any case.
  relations: ({ relatedIdentifiers = [] }) =>
    unique(
      relatedIdentifiers.map((one) => {
        const { relatedIdentifier: _, relatedIdentifierType: _t, ...rest } = one;
        return { ...rest, uri: uriOfRelation(one)?.replace(RESOLVER, "https://doi.org/").toLowerCase() };
      }),
    ),
  grants: ({ fundingReferences = [] }) =>
    unique(
      fundingReferences
        .filter(({ awardNumber, awardTitle, awardUri }) => (awardNumber ?? awardTitle ?? awardUri) !== undefined)
        .map(({ funderName, awardNumber, awardTitle, awardUri }) => {
          // A grant without title is named by its number.
          return { funderName, awardNumber, awardTitle: awardTitle === awardNumber ? undefined : awardTitle, awardUri };
        }),
    ),
  dates: ({ dates = [] }) => unique(dates.flatMap(({ date, dateType }) => crateDate(date, dateType))),
  "licences of parts": ({ licenses = [], license }) =>
    unique(
      licenses
        .filter((one) => one.appliesTo !== undefined || one.license.name !== license?.name)
        .map((one) => [one.license.spdx ?? one.license.url ?? one.license.name, one.appliesTo]),
    ),
};

/** RO-Crate states periods that the content covers, the day of creation, and the year of the copyright. */
function crateDate(date: string, type: DateType): string[] {
  if (type === "Collected" || type === "Coverage" || type === "Valid") return [date];
  if (date.includes("/")) return [];
  return type === "Created" ? [`created ${date}`] : type === "Copyrighted" ? [`copyright ${date.slice(0, 4)}`] : [];
}

/** Types that CSL does not distinguish are one. A name in one text does not say whose it is, and notes have no places. */
const citation: Record<string, Projection> = {
  ...Object.fromEntries(
    ["title", "description", "language", "licence", "exact resource type", "version"].map((name) => [
      name,
      common[name] as Projection,
    ]),
  ),
  // Semicolons divide keywords.
  subjects: ({ subjects = [], subjectTerms = [] }) =>
    unique(
      [...subjects, ...subjectTerms.map(({ subject }) => subject)]
        .flatMap((subject) => subject.split(";"))
        .map((subject) => subject.trim())
        .filter((subject) => subject !== ""),
    ),
  "resource type": ({ resourceTypeGeneral, resourceType }) =>
    resourceType === undefined ? (resourceTypeGeneral ?? "Dataset") : undefined,
  people: ({ authors }) =>
    creatorsFirst(authors).flatMap((author) => {
      const { name, family, given, isNamed } = agentOf(author);
      return isNamed ? [{ name, family, given, isCreator: author.role === "Creator" }] : [];
    }),
};

function expectKept(projections: Record<string, Projection>, original: NormalizedMetadata, read: Members): void {
  const of = (members: Members) =>
    Object.fromEntries(Object.entries(projections).map(([name, project]) => [name, project(members)]));
  expect(of(read)).toEqual(of(original));
}

const formats: [
  name: string,
  projections: Record<string, Projection>,
  kind: FileKind,
  write: (one: NormalizedMetadata) => string,
][] = [
  ["DataCite JSON", datacite, "datacite-json", (one) => JSON.stringify(dataciteJson(archived(one)))],
  ["DataCite XML", datacite, "datacite-xml", (one) => dataciteXml(archived(one))],
  ["CSL", citation, "csl", (one) => JSON.stringify(csl(exportInputOf(one)))],
  ["RO-Crate", crate, "ro-crate", (one) => new Crate(archived(one)).toString({ bytes: 1, sha512: "0" })],
];

describe.each(formats)("%s", (_, projections, kind, write) => {
  test("with every member is read back", () => {
    const original = submitted(maximalNormalized());
    if (original === undefined) throw new Error("The maximal metadata are refused.");
    expectKept(projections, original, readBack(kind, write(original)));
  });

  test("of any dataset is read back", () => {
    fc.assert(
      fc.property(metadata, (original) => {
        // A name in one text is read as a name in parts.
        fc.pre(projections === citation || !hasWholeName(original));
        expectKept(projections, original, readBack(kind, write(original)));
      }),
      { numRuns: 50 },
    );
  });
});
