import type { NormalizedAuthor } from "../../submission/metadata/normalized.ts";
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
  const people = metadata.authors.map((author, index) => ({ author, ref: refTo(person(author, index)) }));
  const creators = people.filter(({ author }) => author.role === "Creator").map(({ ref }) => ref);
  const others = people.filter(({ author }) => author.role !== "Creator").map(({ ref }) => ref);
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
    entities.push(person(author, index));
    const own = organization(author);
    if (own !== undefined) entities.push(own);
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

/** Without postal data: those are personal and stay out of every package (CONTRACT 3.2). */
function person(author: NormalizedAuthor, index: number): Entity {
  const name = [author.firstName, author.lastName].filter((part) => part !== undefined).join(" ");
  const own = organization(author);
  return {
    "@id": author.orcid === undefined ? `#person-${index + 1}` : `https://orcid.org/${author.orcid}`,
    "@type": "Person",
    name: name || (author.orcid ?? author.affiliation ?? "Unnamed contributor"),
    ...(author.firstName !== undefined && { givenName: author.firstName }),
    ...(author.lastName !== undefined && { familyName: author.lastName }),
    ...(own !== undefined && { affiliation: refTo(own) }),
  };
}

function organization({ affiliation, rorid }: NormalizedAuthor): Entity | undefined {
  const name = affiliation ?? rorid;
  if (name === undefined) return undefined;
  return {
    "@id": rorid ?? `#organization-${encodeURIComponent(name.toWellFormed())}`,
    "@type": "Organization",
    name,
    ...(rorid !== undefined && { url: rorid }),
  };
}

function refTo(entity: Entity): { "@id": string } {
  return { "@id": entity["@id"] };
}
