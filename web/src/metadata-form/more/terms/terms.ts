import { dateTypes, descriptionTypes, identifierTypes, type RelationType, relationTypes } from "@accession/rules";

/** Lists of terms in the order in which the form offers them. Others are offered in the order of the rules. */

/** All terms of a list, some of them first. */
function withFirst<Term extends string>(terms: readonly Term[], ...first: Term[]): Term[] {
  return [...first, ...terms.filter((term) => !first.includes(term))];
}

export const DESCRIPTION_TYPES = withFirst(descriptionTypes, "Methods", "TechnicalInfo", "TableOfContents");

export const DATE_TYPES = withFirst(dateTypes, "Collected", "Created", "Coverage");

export const IDENTIFIER_TYPES = withFirst(
  identifierTypes,
  ...(["DOI", "URL", "Handle", "arXiv", "PMID", "ISBN", "ISSN", "URN"] as const),
);

/** The relations that most datasets have. */
export const USUAL_RELATIONS: readonly RelationType[] = [
  "IsDescribedBy",
  "IsSupplementTo",
  "IsDerivedFrom",
  "Cites",
  "IsCitedBy",
  "IsDocumentedBy",
  "IsPartOf",
  "HasPart",
  "IsSourceOf",
  "Requires",
];

export const OTHER_RELATIONS = relationTypes.filter((relation) => !USUAL_RELATIONS.includes(relation));
