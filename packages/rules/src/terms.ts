/**
 * Controlled lists of DataCite 4.7 (appendix 1). The schema of DataCite is the source; a test of the service compares them with it.
 */

/** titleType of titles other than the main one. */
export const titleTypes = ["AlternativeTitle", "Subtitle", "TranslatedTitle", "Other"] as const;
export type TitleType = (typeof titleTypes)[number];

/** descriptionType. */
export const descriptionTypes = [
  "Abstract",
  "Methods",
  "TechnicalInfo",
  "TableOfContents",
  "SeriesInformation",
  "Other",
] as const;
export type DescriptionType = (typeof descriptionTypes)[number];

/** dateType, without those that the service sets itself: Available, Issued, Submitted, Updated and Withdrawn. */
export const dateTypes = ["Collected", "Created", "Valid", "Coverage", "Copyrighted", "Accepted", "Other"] as const;
export type DateType = (typeof dateTypes)[number];

/** relationType; those of every day first, as forms offer them. */
export const relationTypes = [
  "IsDescribedBy",
  "IsSupplementTo",
  "IsCitedBy",
  "IsDerivedFrom",
  "References",
  "IsDocumentedBy",
  "IsPartOf",
  "HasPart",
  "IsSourceOf",
  "Requires",
  "Cites",
  "IsSupplementedBy",
  "IsContinuedBy",
  "Continues",
  "IsNewVersionOf",
  "IsPreviousVersionOf",
  "IsPublishedIn",
  "IsReferencedBy",
  "Documents",
  "IsCompiledBy",
  "Compiles",
  "IsVariantFormOf",
  "IsOriginalFormOf",
  "IsIdenticalTo",
  "HasMetadata",
  "IsMetadataFor",
  "Reviews",
  "IsReviewedBy",
  "Describes",
  "HasVersion",
  "IsVersionOf",
  "IsRequiredBy",
  "Obsoletes",
  "IsObsoletedBy",
  "Collects",
  "IsCollectedBy",
  "HasTranslation",
  "IsTranslationOf",
  "Other",
] as const;
export type RelationType = (typeof relationTypes)[number];

/** relatedIdentifierType. */
export const identifierTypes = [
  "ARK",
  "arXiv",
  "bibcode",
  "CSTR",
  "DOI",
  "EAN13",
  "EISSN",
  "Handle",
  "IGSN",
  "ISBN",
  "ISSN",
  "ISTC",
  "LISSN",
  "LSID",
  "PMID",
  "PURL",
  "RAiD",
  "RRID",
  "SWHID",
  "UPC",
  "URL",
  "URN",
  "w3id",
] as const;
export type IdentifierType = (typeof identifierTypes)[number];

/** resourceTypeGeneral. */
export const resourceTypes = [
  "Audiovisual",
  "Award",
  "Book",
  "BookChapter",
  "Collection",
  "ComputationalNotebook",
  "ConferencePaper",
  "ConferenceProceeding",
  "DataPaper",
  "Dataset",
  "Dissertation",
  "Event",
  "Image",
  "Instrument",
  "InteractiveResource",
  "Journal",
  "JournalArticle",
  "Model",
  "OutputManagementPlan",
  "PeerReview",
  "PhysicalObject",
  "Poster",
  "Preprint",
  "Presentation",
  "Project",
  "Report",
  "Service",
  "Software",
  "Sound",
  "Standard",
  "StudyRegistration",
  "Text",
  "Workflow",
  "Other",
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** funderIdentifierType. */
export const funderIdentifierTypes = ["ROR", "Crossref Funder ID", "ISNI", "GRID", "Other"] as const;
export type FunderIdentifierType = (typeof funderIdentifierTypes)[number];

/** nameType. */
export const nameTypes = ["Personal", "Organizational"] as const;
export type NameType = (typeof nameTypes)[number];

/** The contributor types of DataCite 4.7 (appendix 1, contributorType). */
export const contributorTypes = [
  "ContactPerson",
  "DataCollector",
  "DataCurator",
  "DataManager",
  "Distributor",
  "Editor",
  "HostingInstitution",
  "Producer",
  "ProjectLeader",
  "ProjectManager",
  "ProjectMember",
  "RegistrationAgency",
  "RegistrationAuthority",
  "RelatedPerson",
  "Researcher",
  "ResearchGroup",
  "RightsHolder",
  "Sponsor",
  "Supervisor",
  "Translator",
  "WorkPackageLeader",
  "Other",
] as const;

/** The roles of e!DAL-PGP, then those of DataCite. */
export const roles = ["Creator", "Contributor", ...contributorTypes] as const;
export type Role = (typeof roles)[number];

/** The canonical spelling of a role in any case and spacing (“contact person”), or `undefined`. */
export function knownRole(text: string): Role | undefined {
  return knownTerm(roles, text);
}

const folded = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** The term of a list in its canonical spelling, whatever the case and spacing of the text; undefined if it has none. */
export function knownTerm<T extends string>(terms: readonly T[], text: string): T | undefined {
  let byName = folded.get(terms);
  if (byName === undefined) {
    byName = new Map(terms.map((term) => [foldTerm(term), term]));
    folded.set(terms, byName);
  }
  return byName.get(foldTerm(text)) as T | undefined;
}

function foldTerm(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}
