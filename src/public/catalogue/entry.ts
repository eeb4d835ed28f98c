import { unmarked } from "../../describe/markup.ts";
import { type Agent, agentOf } from "../../describe/metadata/agent.ts";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import { fold } from "../../domain/submission/search.ts";
import { indexedTextOf } from "./query.ts";

/**
 * What people can narrow a search down to. `access` is decided from the publication, `collection` by curators, the others from the
 * metadata and files.
 */
export const TERM_KINDS = [
  "collection",
  "subject",
  "year",
  "author",
  "institution",
  "funder",
  "licence",
  "type",
  "format",
] as const;
export type TermKind = (typeof TERM_KINDS)[number];

/** A value by which a search can be narrowed down. */
export interface CatalogueTerm {
  kind: TermKind;
  /** Identifies the value in addresses: an identifier where there is one, else the folded label. */
  value: string;
  label: string;
}

/**
 * Parts of a dataset in which a search text can be found: its title; names of people and keywords; other metadata; names of
 * files that are open.
 */
export const MATCHED_PARTS = ["title", "names", "metadata", "files"] as const;
export type MatchedPart = (typeof MATCHED_PARTS)[number];

/** What lists show of a dataset. */
export interface CatalogueSummary {
  /** Names of creators, “Family, Given”. */
  creators: string[];
  /** The number of creators, of which the first are in the list. */
  creatorCount: number;
  /** Beginning of the description. */
  description: string;
  keywords: string[];
  /** Year of the citation. */
  year: string;
  licence: string | null;
  resourceType: string;
  /** The identifier under which the version was published: a DOI as URL, or a URN. */
  identifier: string;
  /** The submitter's name of the version, or its number. */
  versionLabel: string;
  objects: number;
  bytes: number;
}

/** The part of a catalogue entry that depends on the public metadata. */
export interface CatalogueText {
  title: string;
  /** For lists by title. */
  sortTitle: string;
  /** Folded texts by weight, the most important first: the title; names and keywords; everything else. */
  texts: { title: string; names: string; others: string };
  terms: CatalogueTerm[];
}

const LONGEST_SORT_TITLE = 200;
const LONGEST_LABEL = 300;
/** Maximum number of values of a kind. More would fill lists of values that nobody reads. */
export const MOST_OF_KIND = 500;
/**
 * Maximum lengths of searched texts. PostgreSQL allows 1 MiB in a `tsvector`, and each text is in it in three languages. One kind of text
 * leaves room for the others: a long list of authors for keywords, and a long description for identifiers, funders and places.
 */
const LONGEST = {
  ...{ titles: 15_000, keywords: 20_000, people: 55_000 },
  ...{ facts: 25_000, fields: 15_000, descriptions: 50_000 },
} as const;

/** The searchable text of public metadata, and the values by which a search can be narrowed down. */
export function catalogueTextOf(metadata: NormalizedMetadata, { year }: { year: string }): CatalogueText {
  const { title, subjects, description = "", titles = [], descriptions = [], subjectTerms = [] } = metadata;
  const agents = metadata.authors.map(agentOf).filter(({ isNamed }) => isNamed);
  const funding = metadata.fundingReferences ?? [];
  const keywords = [...subjects, ...subjectTerms.map(({ subject }) => subject)];
  return {
    title,
    sortTitle: sortTitleOf(title),
    texts: {
      title: indexed([[title, ...titles.map((other) => other.title)], LONGEST.titles]),
      names: indexed([keywords, LONGEST.keywords], [agents.map(({ name }) => name), LONGEST.people]),
      others: indexed(
        [[...factsIn(metadata), ...agents.flatMap(aboutAgent)], LONGEST.facts],
        [textsIn(metadata.fields), LONGEST.fields],
        [
          [
            unmarked(description),
            ...descriptions.map((other) => unmarked(other.description)),
            metadata.acknowledgements ?? "",
          ],
          LONGEST.descriptions,
        ],
      ),
    },
    terms: distinct([
      ...keywords.map((subject) => named("subject", subject)),
      { kind: "year", value: year, label: year },
      ...agents.map(authorTerm),
      ...agents.flatMap(institutionTerms),
      ...funding.map(({ funderName, funderIdentifier }) => named("funder", funderName, funderIdentifier)),
      ...(metadata.license === undefined ? [] : [named("licence", metadata.license.name, metadata.license.spdx)]),
      { kind: "type", value: resourceTypeOf(metadata), label: resourceTypeOf(metadata) },
    ]),
  };
}

/** Short texts by which people look for a dataset. */
function factsIn(metadata: NormalizedMetadata): string[] {
  const texts = [
    ...(metadata.alternateIdentifiers ?? []).map(({ alternateIdentifier }) => alternateIdentifier),
    ...(metadata.fundingReferences ?? []).flatMap((one) => [one.awardNumber, one.funderName, one.awardTitle]),
    ...(metadata.geoLocations ?? []).map(({ geoLocationPlace }) => geoLocationPlace),
    ...[metadata.versionLabel, metadata.resourceTypeGeneral, metadata.resourceType],
    ...(metadata.subjectTerms ?? []).map(({ classificationCode }) => classificationCode),
    ...(metadata.dates ?? []).map(({ dateInformation }) => dateInformation),
    ...(metadata.relatedIdentifiers ?? []).flatMap(({ citation, relatedIdentifier }) => [relatedIdentifier, citation]),
  ];
  return texts.filter((text) => text !== undefined);
}

function aboutAgent({ affiliations, orcid = "" }: Agent): string[] {
  return [orcid, ...affiliations.map(({ name }) => name)];
}

/** The texts of the operator's fields, whatever their form is. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The general resource type (DataCite 4.7, property 10.a). */
export function resourceTypeOf({ resourceTypeGeneral }: Pick<NormalizedMetadata, "resourceTypeGeneral">): string {
  return resourceTypeGeneral ?? "Dataset";
}

/** The value by which a search finds the datasets of an author. */
export function authorTerm({ name, orcid, ror }: Agent): CatalogueTerm {
  return named("author", name, orcid ?? ror);
}

function institutionTerms({ kind, name, ror, affiliations }: Agent): CatalogueTerm[] {
  const own = kind === "organisation" ? [named("institution", name, ror)] : [];
  return [...own, ...affiliations.map((one) => named("institution", one.name, one.ror))];
}

/** A value by its identifier, or else by its folded name, so that spellings with other capitals are the same value. */
export function named(kind: TermKind, name: string, identifier?: string): CatalogueTerm {
  const label = name.slice(0, LONGEST_LABEL).toWellFormed();
  return { kind, value: identifier ?? fold(label).replace(/\s+/g, " ").trim(), label };
}

/** Each value once, and not too many of a kind. */
function distinct(terms: readonly CatalogueTerm[]): CatalogueTerm[] {
  const found = new Map<string, CatalogueTerm>();
  const numbers = new Map<TermKind, number>();
  for (const term of terms) {
    const key = `${term.kind} ${term.value}`;
    const number = numbers.get(term.kind) ?? 0;
    if (term.value === "" || found.has(key) || number >= MOST_OF_KIND) continue;
    found.set(key, term);
    numbers.set(term.kind, number + 1);
  }
  return [...found.values()];
}

/** Texts, each kind with its maximum length. */
function indexed(...kinds: [texts: readonly string[], longest: number][]): string {
  const joined = kinds.map(([texts, longest]) => texts.join(" \n ").slice(0, longest));
  const { text, spellings } = indexedTextOf(joined.join(" \n "));
  return spellings === "" ? text : `${text} ${spellings}`;
}

/** Without leading punctuation and articles, which nobody looks for. */
function sortTitleOf(title: string): string {
  return fold(title)
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .replace(/^(?:the|an?|der|die|das|eine?)\s+/u, "")
    .slice(0, LONGEST_SORT_TITLE)
    .toWellFormed();
}
