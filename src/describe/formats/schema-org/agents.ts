import type { Agent, Institution } from "../../metadata/agent.ts";
import type { NormalizedFunding } from "../../metadata/normalized.ts";
import { encodeSegment, validUri } from "../iri.ts";
import { type Entity, nonEmptyProperties } from "./entity.ts";

/** An institution. Without a ROR id, its name is its local id, so that all who belong to it refer to the same entity. */
export function organization({ name, ror }: Institution): Entity {
  return { ...named(name, ror), ...(ror !== undefined && { url: ror }) };
}

/** An organisation as author or contributor. `affiliation` is a property of persons alone. */
export function organizationAgent({ name, ror, affiliations }: Agent): Entity {
  return {
    ...organization({ name, ...(ror !== undefined && { ror }) }),
    ...nonEmptyProperties({ memberOf: affiliations.map(organization) }),
  };
}

/** The name of a person as a whole, given names first, and in parts. */
export function personNames({ name, given, family }: Agent) {
  return {
    name: [given, family].filter((part) => part !== undefined).join(" ") || name,
    ...(given !== undefined && { givenName: given }),
    ...(family !== undefined && { familyName: family }),
  };
}

/** A funder. An identifier that is not an address is stated as text. */
export function funder({ funderName, funderIdentifier, funderIdentifierType: type }: NormalizedFunding): Entity {
  if (funderIdentifier === undefined) return named(funderName);
  const address = /^https?:\/\//i.test(funderIdentifier) ? validUri(funderIdentifier) : undefined;
  const isni = type === "ISNI" ? `https://isni.org/isni/${encodeSegment(funderIdentifier)}` : undefined;
  const url = address ?? isni;
  return { ...named(funderName, url), ...(url === undefined ? { identifier: funderIdentifier } : { url }) };
}

function named(name: string, id?: string): Entity {
  return { "@id": id ?? `#organization-${encodeSegment(name)}`, "@type": "Organization", name };
}
