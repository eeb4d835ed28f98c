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
const MOST_OF_KIND = 50;
/** Maximum length of the searched text of a description. PostgreSQL allows 1 MiB in a `tsvector`. */
const LONGEST_TEXT = 60_000;

/** The searchable text of public metadata, and the values by which a search can be narrowed down. */
export function catalogueTextOf(metadata: NormalizedMetadata, { year }: { year: string }): CatalogueText {
  const { title, subjects, description = "", titles = [], descriptions = [], subjectTerms = [] } = metadata;
  const agents = metadata.authors.map(agentOf).filter(({ isNamed }) => isNamed);
  const places = (metadata.geoLocations ?? []).flatMap(({ geoLocationPlace }) => geoLocationPlace ?? []);
  const funding = metadata.fundingReferences ?? [];
  const keywords = [...subjects, ...subjectTerms.map(({ subject }) => subject)];
  return {
    title,
    sortTitle: sortTitleOf(title),
    texts: {
      title: indexed([title, ...titles.map((other) => other.title)]),
      names: indexed([...agents.map(({ name }) => name), ...keywords]),
      others: indexed([
        unmarked(description),
        ...descriptions.map((other) => unmarked(other.description)),
        ...agents.flatMap(({ affiliations, orcid }) => [...affiliations.map(({ name }) => name), orcid ?? ""]),
        ...funding.flatMap(({ funderName, awardNumber, awardTitle }) => [
          funderName,
          awardNumber ?? "",
          awardTitle ?? "",
        ]),
        ...(metadata.relatedIdentifiers ?? []).flatMap(({ citation, relatedIdentifier }) => [
          citation ?? "",
          relatedIdentifier ?? "",
        ]),
        ...places,
      ]),
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

/** The general resource type (DataCite 4.7, property 10.a). */
export function resourceTypeOf({ resourceTypeGeneral }: Pick<NormalizedMetadata, "resourceTypeGeneral">): string {
  return resourceTypeGeneral ?? "Dataset";
}

function authorTerm({ name, orcid, ror }: Agent): CatalogueTerm {
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

function indexed(texts: readonly string[]): string {
  const { text, spellings } = indexedTextOf(texts.join(" \n ").slice(0, LONGEST_TEXT));
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
