import { type Agent, agentOf } from "../../submission/metadata/agent.ts";
import { availableOn, datasetUrn, descriptionOf, NO_LICENCE, type PackageFacts } from "./facts.ts";

/** A node of the crate's graph. */
export interface Entity {
  "@id": string;
  "@type": string;
  [property: string]: unknown;
}

const LICENCE = "#licence";
const PUBLISHER = "#publisher";

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
    identifier: datasetUrn(facts.datasetId),
    name: metadata.title,
    description: descriptionOf(metadata),
    datePublished: available,
    version: String(facts.version),
    license: { "@id": metadata.license?.url ?? LICENCE },
    author: creators,
    ...(others.length > 0 && { contributor: others }),
    publisher: { "@id": PUBLISHER },
    ...(metadata.subjects.length > 0 && { keywords: metadata.subjects }),
    ...(metadata.language && { inLanguage: metadata.language }),
    ...(available > facts.publishedAt.slice(0, 10) && {
      conditionsOfAccess: `Under embargo until ${available}`,
      dateCreated: facts.publishedAt,
    }),
    hasPart: parts.map(refTo),
  };
}

/** The contextual entities that the root refers to: licence, publisher, people and their organisations, each once. */
export function entitiesOf({ metadata, publisher }: PackageFacts): Entity[] {
  const entities: Entity[] = [
    licence(metadata.license),
    { "@id": PUBLISHER, "@type": "Organization", name: publisher },
  ];
  for (const [index, author] of metadata.authors.entries()) {
    const agent = agentOf(author);
    entities.push(agentEntity(agent, index));
    if (agent.affiliation !== undefined) entities.push(organization(agent.affiliation));
  }
  // One person may stand there in two roles; the first description stands for all.
  return [...new Map(entities.reverse().map((entity) => [entity["@id"], entity])).values()].reverse();
}

function licence(license: PackageFacts["metadata"]["license"]): Entity {
  if (license === undefined) {
    return { "@id": LICENCE, "@type": "CreativeWork", name: NO_LICENCE, description: NO_LICENCE };
  }
  return {
    "@id": license.url ?? LICENCE,
    "@type": "CreativeWork",
    name: license.name,
    ...(license.spdx !== undefined && { identifier: license.spdx }),
    ...(license.url === undefined && { description: license.name }),
  };
}

function agentEntity(agent: Agent, index: number): Entity {
  const { kind, name, given, family, orcid, affiliation } = agent;
  if (kind === "organisation") return organization(affiliation ?? { name });
  return {
    "@id": orcid ?? `#person-${index + 1}`,
    "@type": "Person",
    name: [given, family].filter((part) => part !== undefined).join(" ") || name,
    ...(given !== undefined && { givenName: given }),
    ...(family !== undefined && { familyName: family }),
    ...(affiliation !== undefined && { affiliation: refTo(organization(affiliation)) }),
  };
}

function organization({ name, ror }: NonNullable<Agent["affiliation"]>): Entity {
  return {
    "@id": ror ?? `#organization-${encodeURIComponent(name.toWellFormed())}`,
    "@type": "Organization",
    name,
    ...(ror !== undefined && { url: ror }),
  };
}

function refTo(entity: Entity): { "@id": string } {
  return { "@id": entity["@id"] };
}
