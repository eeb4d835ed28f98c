import { contributorTypes } from "../../../../packages/rules/src/index.ts";
import { agentOf, type Institution } from "../../metadata/agent.ts";
import type { DataciteName, DataciteRecord } from "../../metadata/datacite-record.ts";
import type { NormalizedAuthor, NormalizedMetadata } from "../../metadata/normalized.ts";
import { type Publisher, publicContactOf } from "../../version-facts.ts";

const TYPES = new Set<string>(contributorTypes);

/** The authors with the role Creator. */
export function creatorsOf({ authors }: NormalizedMetadata): DataciteName[] {
  return authors.filter(isCreator).map(nameOf);
}

/** All other authors, and a public contact as ContactPerson. DataCite has no place for the mail address of a named contact. */
export function contributorsOf(metadata: NormalizedMetadata): DataciteRecord["contributors"] {
  const contact = publicContactOf(metadata);
  const contributors = metadata.authors
    .filter((author) => !isCreator(author))
    .map((author) => ({ ...nameOf(author), contributorType: contributorType(author.role) }));
  if (contact === undefined) return contributors;
  const { name = contact.email } = contact;
  return [...contributors, { name, nameIdentifiers: [], affiliation: [], contributorType: "ContactPerson" }];
}

export function publisherOf({ name, ror }: Publisher): DataciteRecord["publisher"] {
  if (ror === undefined) return { name };
  return { name, publisherIdentifier: ror, publisherIdentifierScheme: "ROR", schemeUri: "https://ror.org" };
}

function isCreator(author: NormalizedAuthor): boolean {
  return author.role === "Creator";
}

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
    nameIdentifiers: [...nameIdentifier(orcid, "ORCID"), ...nameIdentifier(ror, "ROR")],
    affiliation: affiliations.map(affiliationOf),
  };
}

function nameIdentifier(
  id: string | undefined,
  nameIdentifierScheme: "ORCID" | "ROR",
): DataciteName["nameIdentifiers"] {
  if (id === undefined) return [];
  return [{ nameIdentifier: id, nameIdentifierScheme, schemeUri: `https://${nameIdentifierScheme.toLowerCase()}.org` }];
}

function affiliationOf({ name, ror }: Institution): DataciteName["affiliation"][number] {
  if (ror === undefined) return { name };
  return { name, affiliationIdentifier: ror, affiliationIdentifierScheme: "ROR", schemeUri: "https://ror.org" };
}
