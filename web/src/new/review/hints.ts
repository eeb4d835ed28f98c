import {
  affiliationPointer,
  affiliationsOf,
  isOrganisation,
  isStated,
} from "../../metadata-form/entries/affiliations.ts";
import type { MetadataEntries, Person } from "../../metadata-form/entries/entries.ts";
import { isFilled } from "../../metadata-form/entries/lists.ts";
import { labelOf, subjectsOf } from "../../metadata-form/entries/metadata-of.ts";

/** An entry that makes a dataset easier to find. */
export interface Hint {
  name: "description" | "licence" | "keywords" | "orcid" | "ror" | "funding" | "related" | "dates" | "methods";
  isPresent: boolean;
  /** The field in which it is entered, or the first one that is missing. */
  pointer: string;
}

/** The minimum length of a description that search engines expect. */
const GOOD_LENGTH = 50;

/** The entries that make a dataset easier to find, and whether the draft has them. */
export function hintsOf({ description, lists, authors }: MetadataEntries): Hint[] {
  const { descriptions, relatedIdentifiers, fundingReferences, subjectTerms, dates } = lists;
  const hint = (name: Hint["name"], isPresent: boolean, pointer: string): Hint => ({ name, isPresent, pointer });
  const hasKeywords = subjectsOf(description.subjects).length > 0 || subjectTerms.some(isFilled);
  const hasMethods = descriptions.some((one) => one.descriptionType === "Methods" && isFilled(one));
  const isCollected = dates.some((one) => one.dateType === "Collected" && isFilled(one));
  return [
    hint("description", Array.from(description.description.trim()).length >= GOOD_LENGTH, "/metadata/description"),
    hint("licence", description.license.trim() !== "", "/metadata/license"),
    hint("keywords", hasKeywords, "/metadata/subjects"),
    ofEach("orcid", authors.flatMap(orcidOf)),
    ofEach("ror", authors.flatMap(rorsOf)),
    hint("funding", fundingReferences.some(isFilled), "/metadata/fundingReferences"),
    hint("related", relatedIdentifiers.some(isFilled), "/metadata/relatedIdentifiers"),
    hint("dates", isCollected, "/metadata/dates"),
    hint("methods", hasMethods, "/metadata/descriptions"),
  ];
}

interface Identifier {
  pointer: string;
  isPresent: boolean;
}

/** A hint about identifiers. It is present if there is at least one of them, and none is missing. */
function ofEach(name: Hint["name"], all: Identifier[]): Hint {
  const missing = all.find(({ isPresent }) => !isPresent);
  return {
    name,
    isPresent: all.length > 0 && missing === undefined,
    pointer: (missing ?? all[0])?.pointer ?? "/metadata/authors",
  };
}

function orcidOf(author: Person, index: number): Identifier[] {
  if (isOrganisation(author) || author.role !== "Creator") return [];
  return [{ pointer: `/metadata/authors/${index}/orcid`, isPresent: author.orcid.trim() !== "" }];
}

function rorsOf(author: Person, index: number): Identifier[] {
  if (isOrganisation(author)) {
    const isNamed = labelOf(author) !== "";
    return isNamed ? [{ pointer: `/metadata/authors/${index}/rorid`, isPresent: author.rorid.trim() !== "" }] : [];
  }
  return affiliationsOf(author).flatMap((one, at) =>
    isStated(one) ? [{ pointer: affiliationPointer(index, at, "rorid"), isPresent: one.rorid.trim() !== "" }] : [],
  );
}
