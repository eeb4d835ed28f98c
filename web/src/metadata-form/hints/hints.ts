import { SHORT_DESCRIPTION } from "@accession/rules";
import { affiliationPointer, affiliationsOf, isOrganisation, isStated } from "../entries/affiliations.ts";
import type { MetadataEntries, Person } from "../entries/entries.ts";
import { type Entry, isFilled, type ListName } from "../entries/lists.ts";
import { labelOf, subjectsOf } from "../entries/metadata-of.ts";
import { isWithin } from "../entries/pointers.ts";

/** An entry that makes a dataset easier to find. */
export interface Hint {
  name: "description" | "licence" | "keywords" | "orcid" | "ror" | "funding" | "related" | "dates" | "methods";
  isPresent: boolean;
  /** Whether there is a value, which is not valid. */
  isWrong: boolean;
  /** The field in which it is entered, or the first one that is missing. */
  pointer: string;
}

/**
 * The entries that make a dataset easier to find, and whether the draft has them.
 *
 * @param wrong the pointers of values that are not valid
 */
export function hintsOf({ description, lists, authors }: MetadataEntries, wrong: readonly string[] = []): Hint[] {
  const { subjectTerms } = lists;
  const wrongIn = (outer: string) => wrong.find((pointer) => isWithin(pointer, outer));
  const hint = (name: Hint["name"], isPresent: boolean, pointer: string): Hint => ({
    ...{ name, isPresent, isWrong: false, pointer },
  });
  /** At least one entry of a list, which must be valid. */
  const ofList = <L extends ListName>(name: Hint["name"], list: L, counts: (entry: Entry<L>) => boolean): Hint => {
    const at = `/metadata/${list}`;
    const entries = (lists[list] as Entry<L>[]).map((entry, index) => ({ entry, wrongAt: wrongIn(`${at}/${index}`) }));
    const counted = entries.filter(({ entry }) => isFilled(entry) && counts(entry));
    const isPresent = counted.some(({ wrongAt }) => wrongAt === undefined);
    const wrongAt = isPresent ? undefined : counted[0]?.wrongAt;
    return { name, isPresent, isWrong: wrongAt !== undefined, pointer: wrongAt ?? at };
  };
  const hasKeywords = subjectsOf(description.subjects).length > 0 || subjectTerms.some(isFilled);
  return [
    hint(
      "description",
      Array.from(description.description.trim()).length >= SHORT_DESCRIPTION,
      "/metadata/description",
    ),
    hint("licence", description.license.trim() !== "", "/metadata/license"),
    hint("keywords", hasKeywords, "/metadata/subjects"),
    ofEach("orcid", authors.flatMap(orcidOf), wrong),
    ofEach("ror", authors.flatMap(rorsOf), wrong),
    ofList("funding", "fundingReferences", () => true),
    ofList("related", "relatedIdentifiers", () => true),
    ofList("dates", "dates", ({ dateType }) => dateType === "Collected"),
    ofList("methods", "descriptions", ({ descriptionType }) => descriptionType === "Methods"),
  ];
}

interface Identifier {
  pointer: string;
  isPresent: boolean;
}

/** A hint about identifiers. It is present if there is at least one of them, and none is missing or wrong. */
function ofEach(name: Hint["name"], all: Identifier[], wrong: readonly string[]): Hint {
  const isWrong = ({ pointer, isPresent }: Identifier) => isPresent && wrong.includes(pointer);
  const missing = all.find((one) => isWrong(one)) ?? all.find(({ isPresent }) => !isPresent);
  return {
    name,
    isPresent: all.length > 0 && missing === undefined,
    isWrong: missing !== undefined && isWrong(missing),
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
