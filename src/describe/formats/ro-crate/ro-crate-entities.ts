import { datasetUrn } from "../../../domain/uuid.ts";
import { type Agent, agentOf } from "../../metadata/agent.ts";
import {
  doiUrl,
  issuedOn,
  keywordsOf,
  NO_LICENCE,
  publicContactOf,
  type VersionFacts,
  versionLabelOf,
  versionUrl,
} from "../../version-facts.ts";
import { mailtoUri, validUri } from "../iri.ts";
import { organization, organizationAgent, personNames } from "../schema-org/agents.ts";
import {
  type Entity,
  flattened,
  isEntity,
  nonEmptyProperties,
  oneOrAll,
  united,
  withReferences,
} from "../schema-org/entity.ts";
import { additionalProperties } from "../schema-org/own-fields.ts";
import { withOwnIds } from "../schema-org/own-ids.ts";
import { allDescriptions, alternateIdentifier, optionalProperties, partLicence } from "../schema-org/properties.ts";

export type { Entity } from "../schema-org/entity.ts";

const LICENCE = "#licence";
const PUBLISHER = "#publisher";
/** The SPDX page that defines the ids of an expression; an expression itself has no page. */
const SPDX = "https://spdx.org/licenses/#";

/** The crate's root (RO-Crate 1.2, “Root Data Entity”): name, description, datePublished and licence are mandatory. */
export function rootDataset(facts: VersionFacts, parts: Entity[]): Entity {
  return withReferences({ ...describedRoot(facts).root, hasPart: parts });
}

/** The contextual entities that the root refers to: identifier, licence, publisher, people and organisations, each once. */
export function entitiesOf(facts: VersionFacts): Entity[] {
  const { root, agents } = describedRoot(facts);
  const { author, contributor, identifier, license, publisher, ...further } = root;
  const inOrder = [identifier, license, publisher, agents, Object.values(further)].flat(2).filter(isEntity);
  return united(inOrder.flatMap(flattened));
}

/** The root with all entities that it refers to as property values, and the authors in their order. */
function describedRoot(facts: VersionFacts): { root: Entity; agents: Entity[] } {
  const { metadata } = facts;
  const { publisher, agents, optional } = withOwnIds({
    publisher: publisherEntity(facts),
    agents: metadata.authors.map((author, index) => agentEntity(agentOf(author), index)),
    optional: optionalProperties(metadata),
  });
  const isCreator = (_: Entity, index: number) => metadata.authors[index]?.role === "Creator";
  const creators = agents.filter(isCreator);
  const others = agents.filter((agent) => !creators.includes(agent));
  const keywords = keywordsOf(metadata);
  const embargo = statedEmbargo(facts);
  const root = {
    "@id": "./",
    "@type": "Dataset",
    identifier: oneOrAll([identifier(facts), ...(metadata.alternateIdentifiers ?? []).map(alternateIdentifier)]),
    name: metadata.title,
    description: oneOrAll(allDescriptions(metadata)),
    datePublished: issuedOn(facts),
    version: versionLabelOf(facts),
    license: oneOrAll([licence(metadata.license), ...(metadata.licenses ?? []).map(partLicence)]),
    author: creators,
    ...(others.length > 0 && { contributor: others }),
    publisher,
    ...(keywords.length > 0 && { keywords }),
    ...(metadata.language && { inLanguage: metadata.language }),
    ...(embargo !== undefined && { conditionsOfAccess: embargo }),
    ...optional,
    ...additionalProperties(metadata),
  };
  return { root, agents };
}

/**
 * The embargo of the metadata. The crate does not change when an embargo ends or is changed, so that it says when this was true.
 * After publication, the landing page alone states the access.
 */
function statedEmbargo({ metadata: { embargoDate }, publication, archivedAt }: VersionFacts): string | undefined {
  if (publication !== undefined || embargoDate === undefined || embargoDate <= archivedAt.slice(0, 10))
    return undefined;
  return `Under embargo until ${embargoDate} when these metadata were written`;
}

/** RO-Crate 1.2, “Root Data Entity identifier”: a `PropertyValue`, as Science on Schema.org describes it. */
function identifier(facts: VersionFacts): Entity {
  const { doi } = facts;
  const value = doi === undefined ? datasetUrn(facts.datasetId) : doiUrl(doi);
  return {
    "@id": value,
    "@type": "PropertyValue",
    name: "Dataset identifier",
    propertyID: doi === undefined ? "URN" : "https://registry.identifiers.org/registry/doi",
    value,
    ...(facts.url !== undefined && { url: versionUrl(facts.url, facts.version) }),
  };
}

/**
 * The publisher, with its contact and that of the dataset. RO-Crate 1.2, “Contact information”: a dataset has no contact
 * point itself, so that it is stated on its publisher.
 */
function publisherEntity({ publisher: { name, url, email, ror }, metadata }: VersionFacts): Entity {
  const contact = publicContactOf(metadata);
  return {
    "@id": ror ?? url ?? PUBLISHER,
    "@type": "Organization",
    name,
    ...((url ?? ror) !== undefined && { url: url ?? ror }),
    ...nonEmptyProperties({
      contactPoint: [
        ...(contact === undefined ? [] : [contactPoint(contact.name ?? "Contact of the dataset", contact.email)]),
        ...(email === undefined || email === contact?.email ? [] : [contactPoint("Contact of the publisher", email)]),
      ],
    }),
  };
}

function contactPoint(name: string, email: string): Entity {
  return { "@id": mailtoUri(email), "@type": "ContactPoint", name, email };
}

/** RO-Crate 1.2, “Licensing”: the `@id` is the licence's URL if it has one, and every licence has a description. */
function licence(license: VersionFacts["metadata"]["license"]): Entity {
  if (license === undefined) {
    return { "@id": LICENCE, "@type": "CreativeWork", name: NO_LICENCE, description: NO_LICENCE };
  }
  const { name, spdx, url } = license;
  const expression = spdx === undefined ? undefined : SPDX + encodeURIComponent(spdx);
  return {
    "@id": url === undefined ? (expression ?? LICENCE) : validUri(url),
    "@type": "CreativeWork",
    name,
    ...(spdx !== undefined && { identifier: spdx }),
    description: spdx === undefined || spdx === name ? `Licence: ${name}` : `Licence: ${name} (SPDX: ${spdx})`,
  };
}

function agentEntity(agent: Agent, index: number): Entity {
  const { kind, orcid, affiliations } = agent;
  if (kind === "organisation") return organizationAgent(agent);
  return {
    "@id": orcid ?? `#person-${index + 1}`,
    "@type": "Person",
    ...personNames(agent),
    ...nonEmptyProperties({ affiliation: affiliations.map(organization) }),
  };
}
