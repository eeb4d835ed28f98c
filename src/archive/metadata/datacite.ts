import { agentOf, type Institution } from "../../domain/metadata/agent.ts";
import type { NormalizedAuthor } from "../../domain/metadata/normalized.ts";
import { contributorTypes } from "../../domain/metadata/values/roles.ts";
import {
  availableOn,
  datasetUrn,
  descriptionOf,
  NO_LICENCE,
  type PackageFacts,
  type Publisher,
  versionUrl,
} from "./facts.ts";

/** A DataCite record in its JSON form (DataCite 4.7; DataCite 4.5 has all of these terms, too). */
export interface DataciteRecord {
  identifiers: { identifier: string; identifierType: "URN" }[];
  alternateIdentifiers: { alternateIdentifier: string; alternateIdentifierType: "URL" }[];
  types: { resourceTypeGeneral: "Dataset"; resourceType: "Dataset" };
  creators: DataciteName[];
  contributors: (DataciteName & { contributorType: string })[];
  titles: { title: string }[];
  publisher: DatacitePublisher;
  publicationYear: string;
  subjects: { subject: string }[];
  dates: { date: string; dateType: "Submitted" | "Available" }[];
  language?: string;
  version: string;
  relatedIdentifiers: DataciteRelation[];
  rightsList: DataciteRights[];
  descriptions: { description: string; descriptionType: "Abstract" }[];
  sizes: string[];
  formats: string[];
  schemaVersion: "http://datacite.org/schema/kernel-4";
}

export interface DataciteName {
  name: string;
  nameType?: "Personal" | "Organizational";
  givenName?: string;
  familyName?: string;
  nameIdentifiers: { nameIdentifier: string; nameIdentifierScheme: "ORCID" | "ROR"; schemeUri: string }[];
  affiliation: DataciteAffiliation[];
}

export interface DataciteAffiliation {
  name: string;
  affiliationIdentifier?: string;
  affiliationIdentifierScheme?: "ROR";
  schemeUri?: string;
}

export interface DatacitePublisher {
  name: string;
  publisherIdentifier?: string;
  publisherIdentifierScheme?: "ROR";
  schemeUri?: string;
}

interface DataciteRelation {
  relatedIdentifier: string;
  relatedIdentifierType: "URL";
  relationType: "IsVersionOf" | "IsNewVersionOf" | "IsPreviousVersionOf";
  resourceTypeGeneral: "Dataset";
}

export interface DataciteRights {
  rights: string;
  rightsUri?: string;
  rightsIdentifier?: string;
  rightsIdentifierScheme?: "SPDX";
  schemeUri?: string;
}

/**
 * The dataset in DataCite 4.7, in the JSON form of DataCite's REST attributes: resource type Dataset, identifier
 * `urn:uuid:` of type URN, which all versions share. The URL of the version is an alternate identifier, and properties 12
 * and 15 state its relations to other versions. Texts are copied as submitted, without a language tag, because the metadata
 * state only the language of the data. Postal data are not included. docs/metadata.md lists which field becomes which
 * property.
 */
export function dataciteJson(facts: PackageFacts): DataciteRecord {
  const { metadata, publishedAt, publisher } = facts;
  const available = availableOn(facts);
  const submitted = publishedAt.slice(0, 10);
  return {
    identifiers: [{ identifier: datasetUrn(facts.datasetId), identifierType: "URN" }],
    alternateIdentifiers: facts.url === undefined ? [] : [addressOf(facts.url, facts.version)],
    types: { resourceTypeGeneral: "Dataset", resourceType: "Dataset" },
    creators: metadata.authors.filter(isCreator).map(nameOf),
    contributors: metadata.authors
      .filter((author) => !isCreator(author))
      .map((author) => ({ ...nameOf(author), contributorType: contributorType(author.role) })),
    titles: [{ title: metadata.title }],
    publisher: publisherOf(publisher),
    publicationYear: available.slice(0, 4),
    subjects: metadata.subjects.map((subject) => ({ subject })),
    dates: [
      { date: submitted, dateType: "Submitted" },
      { date: available, dateType: "Available" },
    ],
    ...(metadata.language && { language: metadata.language }),
    version: String(facts.version),
    relatedIdentifiers: relationsOf(facts),
    rightsList: [rightsOf(metadata.license)],
    descriptions: [{ description: descriptionOf(metadata), descriptionType: "Abstract" }],
    sizes: [`${facts.objects} ${facts.objects === 1 ? "file" : "files"}`, `${facts.bytes} bytes`],
    formats: [...facts.mediaTypes],
    schemaVersion: "http://datacite.org/schema/kernel-4",
  };
}

function addressOf(url: string, version: number): DataciteRecord["alternateIdentifiers"][number] {
  return { alternateIdentifier: versionUrl(url, version), alternateIdentifierType: "URL" };
}

function publisherOf({ name, ror }: Publisher): DatacitePublisher {
  if (ror === undefined) return { name };
  return { name, publisherIdentifier: ror, publisherIdentifierScheme: "ROR", schemeUri: "https://ror.org" };
}

/** Relations to the dataset as a whole, and to the versions before and after. */
function relationsOf(facts: PackageFacts): DataciteRelation[] {
  const { url, version, latest } = facts;
  if (url === undefined) return [];
  const relation = (relationType: DataciteRelation["relationType"], relatedIdentifier: string): DataciteRelation => ({
    relatedIdentifier,
    relatedIdentifierType: "URL",
    relationType,
    resourceTypeGeneral: "Dataset",
  });
  return [
    relation("IsVersionOf", url),
    ...(version > 1 ? [relation("IsNewVersionOf", versionUrl(url, version - 1))] : []),
    ...(version < latest ? [relation("IsPreviousVersionOf", versionUrl(url, version + 1))] : []),
  ];
}

function isCreator(author: NormalizedAuthor): boolean {
  return author.role === "Creator";
}

// DataCite 4.6 introduced `Translator`. Readers of 4.5 would refuse it.
const TYPES = new Set<string>(contributorTypes.filter((type) => type !== "Translator"));

function contributorType(role: string): string {
  return TYPES.has(role) ? role : "Other";
}

function nameOf(author: NormalizedAuthor): DataciteName {
  const { kind, name, given, family, orcid, ror, affiliations, isNamed } = agentOf(author);
  return {
    name,
    ...((kind === "person" || isNamed) && { nameType: kind === "person" ? "Personal" : "Organizational" }),
    ...(given !== undefined && { givenName: given }),
    ...(family !== undefined && { familyName: family }),
    nameIdentifiers: [
      ...(orcid === undefined
        ? []
        : [{ nameIdentifier: orcid, nameIdentifierScheme: "ORCID" as const, schemeUri: "https://orcid.org" }]),
      ...(ror === undefined
        ? []
        : [{ nameIdentifier: ror, nameIdentifierScheme: "ROR" as const, schemeUri: "https://ror.org" }]),
    ],
    affiliation: affiliations.map(affiliationOf),
  };
}

function affiliationOf({ name, ror }: Institution): DataciteAffiliation {
  if (ror === undefined) return { name };
  return { name, affiliationIdentifier: ror, affiliationIdentifierScheme: "ROR", schemeUri: "https://ror.org" };
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
