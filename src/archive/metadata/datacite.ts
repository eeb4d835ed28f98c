import { type Agent, agentOf } from "../../submission/metadata/agent.ts";
import type { NormalizedAuthor } from "../../submission/metadata/normalized.ts";
import { contributorTypes } from "../../submission/metadata/roles.ts";
import { availableOn, datasetUrn, descriptionOf, NO_LICENCE, type PackageFacts } from "./facts.ts";

/** A DataCite record, as its JSON form writes it (DataCite 4.7; every term here is in 4.5 too). */
export interface DataciteRecord {
  identifiers: { identifier: string; identifierType: "URN" }[];
  types: { resourceTypeGeneral: "Dataset"; resourceType: "Dataset" };
  creators: DataciteName[];
  contributors: (DataciteName & { contributorType: string })[];
  titles: { title: string; lang?: string }[];
  publisher: { name: string };
  publicationYear: string;
  subjects: { subject: string }[];
  dates: { date: string; dateType: "Submitted" | "Available" }[];
  language?: string;
  version: string;
  rightsList: DataciteRights[];
  descriptions: { description: string; descriptionType: "Abstract" }[];
  sizes: string[];
  schemaVersion: "http://datacite.org/schema/kernel-4";
}

export interface DataciteName {
  name: string;
  nameType?: "Personal" | "Organizational";
  givenName?: string;
  familyName?: string;
  nameIdentifiers: { nameIdentifier: string; nameIdentifierScheme: "ORCID"; schemeUri: string }[];
  affiliation: DataciteAffiliation[];
}

export interface DataciteAffiliation {
  name: string;
  affiliationIdentifier?: string;
  affiliationIdentifierScheme?: "ROR";
  schemeUri?: string;
}

export interface DataciteRights {
  rights: string;
  rightsUri?: string;
  rightsIdentifier?: string;
  rightsIdentifierScheme?: "SPDX";
  schemeUri?: string;
}

/**
 * The dataset in DataCite 4.7 (CONTRACT 4), in the JSON form of DataCite's REST attributes: resource type Dataset,
 * identifier `urn:uuid:` of type URN. Texts stand as they were given; postal data has no place here.
 */
export function dataciteJson(facts: PackageFacts): DataciteRecord {
  const { metadata, publishedAt, publisher } = facts;
  const available = availableOn(facts);
  const submitted = publishedAt.slice(0, 10);
  return {
    identifiers: [{ identifier: datasetUrn(facts.datasetId), identifierType: "URN" }],
    types: { resourceTypeGeneral: "Dataset", resourceType: "Dataset" },
    creators: metadata.authors.filter(isCreator).map(nameOf),
    contributors: metadata.authors
      .filter((author) => !isCreator(author))
      .map((author) => ({ ...nameOf(author), contributorType: contributorType(author.role) })),
    titles: [{ title: metadata.title, ...(metadata.language && { lang: metadata.language }) }],
    publisher: { name: publisher },
    publicationYear: available.slice(0, 4),
    subjects: metadata.subjects.map((subject) => ({ subject })),
    dates: [
      { date: submitted, dateType: "Submitted" },
      { date: available, dateType: "Available" },
    ],
    ...(metadata.language && { language: metadata.language }),
    version: String(facts.version),
    rightsList: [rightsOf(metadata.license)],
    descriptions: [{ description: descriptionOf(metadata), descriptionType: "Abstract" }],
    sizes: [`${facts.objects} ${facts.objects === 1 ? "file" : "files"}`, `${facts.bytes} bytes`],
    schemaVersion: "http://datacite.org/schema/kernel-4",
  };
}

function isCreator(author: NormalizedAuthor): boolean {
  return author.role === "Creator";
}

// `Translator` came with 4.6 and would not be read by those who know 4.5.
const TYPES = new Set<string>(contributorTypes.filter((type) => type !== "Translator"));

function contributorType(role: string): string {
  return TYPES.has(role) ? role : "Other";
}

/** A contributor without a name of its own is its affiliation (a hosting institution, say), and says so with `Organizational`. */
function nameOf(author: NormalizedAuthor): DataciteName {
  const { kind, name, given, family, orcid, affiliation } = agentOf(author);
  const isKnown = kind === "person" || affiliation !== undefined;
  return {
    name,
    ...(isKnown && { nameType: kind === "person" ? "Personal" : "Organizational" }),
    ...(given !== undefined && { givenName: given }),
    ...(family !== undefined && { familyName: family }),
    nameIdentifiers:
      orcid === undefined
        ? []
        : [{ nameIdentifier: orcid, nameIdentifierScheme: "ORCID", schemeUri: "https://orcid.org" }],
    affiliation: affiliationOf(affiliation),
  };
}

function affiliationOf(affiliation: Agent["affiliation"]): DataciteAffiliation[] {
  if (affiliation === undefined) return [];
  const { name, ror } = affiliation;
  if (ror === undefined) return [{ name }];
  return [{ name, affiliationIdentifier: ror, affiliationIdentifierScheme: "ROR", schemeUri: "https://ror.org" }];
}

function rightsOf(license: PackageFacts["metadata"]["license"]): DataciteRights {
  if (license === undefined) return { rights: NO_LICENCE };
  return {
    rights: license.name,
    ...(license.url !== undefined && { rightsUri: license.url }),
    ...(license.spdx !== undefined && {
      rightsIdentifier: license.spdx,
      rightsIdentifierScheme: "SPDX",
      schemeUri: "https://spdx.org/licenses/",
    }),
  };
}
