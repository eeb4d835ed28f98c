import { type Agent, agentOf, type Institution } from "../../domain/metadata/agent.ts";
import {
  availableOn,
  datasetUrn,
  descriptionOf,
  NO_LICENCE,
  type PackageFacts,
  type Publisher,
  versionUrl,
} from "./facts.ts";
import { encodeSegment } from "./iri.ts";

/** A node of the crate's graph. */
export interface Entity {
  "@id": string;
  "@type": string;
  [property: string]: unknown;
}

const LICENCE = "#licence";
const PUBLISHER = "#publisher";
/** The SPDX page that defines the ids of an expression; an expression itself has no page. */
const SPDX = "https://spdx.org/licenses/#";

/** The crate's root (RO-Crate 1.2, “Root Data Entity”): name, description, datePublished and licence are mandatory. */
export function rootDataset(facts: PackageFacts, parts: Entity[]): Entity {
  const { metadata } = facts;
  const available = availableOn(facts);
  const agents = metadata.authors.map((author, index) => ({ author, ref: refTo(agentEntity(agentOf(author), index)) }));
  const creators = agents.filter(({ author }) => author.role === "Creator").map(({ ref }) => ref);
  const others = agents.filter(({ author }) => author.role !== "Creator").map(({ ref }) => ref);
  return {
    "@id": "./",
    "@type": "Dataset",
    identifier: { "@id": datasetUrn(facts.datasetId) },
    name: metadata.title,
    description: descriptionOf(metadata),
    datePublished: available,
    version: String(facts.version),
    license: refTo(licence(metadata.license)),
    author: creators,
    ...(others.length > 0 && { contributor: others }),
    publisher: refTo(publisherEntity(facts.publisher)),
    ...(metadata.subjects.length > 0 && { keywords: metadata.subjects }),
    ...(metadata.language && { inLanguage: metadata.language }),
    ...(available > facts.publishedAt.slice(0, 10) && {
      conditionsOfAccess: `Under embargo until ${available}`,
      dateCreated: facts.publishedAt,
    }),
    hasPart: parts.map(refTo),
  };
}

/** The contextual entities that the root refers to: identifier, licence, publisher, people and organisations, each once. */
export function entitiesOf(facts: PackageFacts): Entity[] {
  const { metadata, publisher } = facts;
  const entities: Entity[] = [
    identifier(facts),
    licence(metadata.license),
    publisherEntity(publisher),
    ...(publisher.email === undefined ? [] : [contactPoint(publisher.email)]),
  ];
  for (const [index, author] of metadata.authors.entries()) {
    const agent = agentOf(author);
    entities.push(agentEntity(agent, index));
    entities.push(...agent.affiliations.map(organization));
  }
  // A person may be listed in two roles. The first description is kept.
  return [...new Map(entities.reverse().map((entity) => [entity["@id"], entity])).values()].reverse();
}

/** RO-Crate 1.2, “Root Data Entity identifier”: a `PropertyValue`, as Science on Schema.org describes it. */
function identifier(facts: PackageFacts): Entity {
  const urn = datasetUrn(facts.datasetId);
  return {
    "@id": urn,
    "@type": "PropertyValue",
    name: "Dataset identifier",
    propertyID: "URN",
    value: urn,
    ...(facts.url !== undefined && { url: versionUrl(facts.url, facts.version) }),
  };
}

function publisherEntity({ name, url, email, ror }: Publisher): Entity {
  return {
    "@id": ror ?? url ?? PUBLISHER,
    "@type": "Organization",
    name,
    ...((url ?? ror) !== undefined && { url: url ?? ror }),
    ...(email !== undefined && { contactPoint: refTo(contactPoint(email)) }),
  };
}

function contactPoint(email: string): Entity {
  return { "@id": `mailto:${email}`, "@type": "ContactPoint", name: "Contact of the publisher", email };
}

/** RO-Crate 1.2, “Licensing”: the `@id` is the licence's URL if it has one, and every licence has a description. */
function licence(license: PackageFacts["metadata"]["license"]): Entity {
  if (license === undefined) {
    return { "@id": LICENCE, "@type": "CreativeWork", name: NO_LICENCE, description: NO_LICENCE };
  }
  const { name, spdx, url } = license;
  const expression = spdx === undefined ? undefined : SPDX + encodeURIComponent(spdx);
  return {
    "@id": url ?? expression ?? LICENCE,
    "@type": "CreativeWork",
    name,
    ...(spdx !== undefined && { identifier: spdx }),
    description: spdx === undefined || spdx === name ? `Licence: ${name}` : `Licence: ${name} (SPDX: ${spdx})`,
  };
}

function agentEntity(agent: Agent, index: number): Entity {
  const { kind, name, given, family, orcid, ror, affiliations } = agent;
  if (kind === "organisation") return organization({ name, ...(ror !== undefined && { ror }) });
  return {
    "@id": orcid ?? `#person-${index + 1}`,
    "@type": "Person",
    name: [given, family].filter((part) => part !== undefined).join(" ") || name,
    ...(given !== undefined && { givenName: given }),
    ...(family !== undefined && { familyName: family }),
    ...(affiliations.length > 0 && { affiliation: oneOrAll(affiliations.map((one) => refTo(organization(one)))) }),
  };
}

function organization({ name, ror }: Institution): Entity {
  return {
    "@id": ror ?? `#organization-${encodeSegment(name)}`,
    "@type": "Organization",
    name,
    ...(ror !== undefined && { url: ror }),
  };
}

function refTo(entity: Entity): { "@id": string } {
  return { "@id": entity["@id"] };
}

/** A list of one value as the value itself, as RO-Crate and JSON-LD allow and earlier packages have it. */
function oneOrAll<T>(values: T[]): T | T[] {
  return values.length === 1 && values[0] !== undefined ? values[0] : values;
}
