import type { Agent, Summary } from "../described.ts";

interface FoafAgent {
  "@id"?: string;
  "@type": string;
  "foaf:name": string;
  [property: string]: unknown;
}

/**
 * The publisher, creators and contributors. Those with the same id and different names would become one agent, so that only the first
 * keeps the id.
 * @param names receives the names by id
 */
export function agentsOf(summary: Summary, names: Map<string, unknown>) {
  const publishedBy = withOwnId(publisherOf(summary.publisher), names);
  const creators = summary.creators.map((one) => withOwnId(agent(one), names));
  const contributors = summary.contributors.map((one) => withOwnId(agent(one), names));
  return { publishedBy, creators, contributors };
}

function publisherOf({ name, url, ror }: Summary["publisher"]): FoafAgent {
  return {
    ...(ror !== undefined && { "@id": ror }),
    "@type": "foaf:Organization",
    "foaf:name": name,
    ...(url !== undefined && { "foaf:homepage": { "@id": url } }),
  };
}

/** An agent with the id that it shares with an earlier one of another name as a text. */
function withOwnId(one: FoafAgent, names: Map<string, unknown>): FoafAgent {
  const { "@id": id, ...rest } = one;
  if (id === undefined) return one;
  const first = names.get(id) ?? one["foaf:name"];
  names.set(id, first);
  return first === one["foaf:name"] ? one : { ...rest, "dcterms:identifier": id };
}

function agent({ kind, name, orcid, ror }: Agent): FoafAgent {
  const id = kind === "person" ? orcid : ror;
  return {
    ...(id !== undefined && { "@id": id }),
    "@type": kind === "person" ? "foaf:Person" : "foaf:Organization",
    "foaf:name": name,
  };
}
