import type { Licence } from "./licence.ts";

/** A creator or contributor, without postal data, which is personal and never exported (docs/metadata.md). */
export interface Agent {
  kind: "person" | "organisation";
  /** For a person “Family, Given”. */
  name: string;
  family?: string;
  given?: string;
  /** As a URL. */
  orcid?: string;
  affiliation?: { name: string; ror?: string };
}

/** The metadata in the form from which all exports are made. Texts are trimmed. The metadata as sent is stored separately, unchanged. */
export interface NormalizedMetadata {
  title: string;
  description?: string;
  /** In the order sent; at least one has the role `Creator`. */
  authors: NormalizedAuthor[];
  /** BCP 47, canonical. */
  language?: string;
  subjects: string[];
  /** If the licence is not known, `spdx` and `url` are absent, and `name` is the text as sent. */
  license?: Licence;
  /** A calendar date, `YYYY-MM-DD`. */
  embargoDate?: string;
}

export interface NormalizedAuthor extends PublicAuthor {
  address?: string;
  zipCode?: string;
  city?: string;
  /** ISO 3166-1 alpha-2, or the text as sent if the country is not known. */
  country?: string;
}

/** An author without postal data. */
interface PublicAuthor {
  /** One of `roles`, or the text as sent if the role is not known. */
  role: string;
  /** `0000-0002-1825-0097`. */
  orcid?: string;
  firstName?: string;
  lastName?: string;
  affiliation?: string;
  /** `https://ror.org/0xxxxxxxx`; absent if the text as sent is not a ROR id. */
  rorid?: string;
}

/**
 * The author without address, postal code, city and country: these are personal data and never reach package metadata
 * or exports.
 */
export function publicAuthor(author: NormalizedAuthor): PublicAuthor {
  const { address: _address, zipCode: _zipCode, city: _city, country: _country, ...rest } = author;
  return rest;
}

/** Converts an author. A person has a name or an ORCID iD; an author with neither is the organisation in `affiliation`. */
export function agentOf({ firstName, lastName, orcid, affiliation, rorid }: PublicAuthor): Agent {
  const name = [lastName, firstName].filter((part) => part !== undefined).join(", ");
  const isPerson = name !== "" || orcid !== undefined;
  const employer = affiliation ?? rorid;
  return {
    kind: isPerson ? "person" : "organisation",
    name: name || (orcid ?? employer ?? "Unnamed contributor"),
    ...(lastName !== undefined && { family: lastName }),
    ...(firstName !== undefined && { given: firstName }),
    ...(orcid !== undefined && { orcid: `https://orcid.org/${orcid}` }),
    ...(employer !== undefined && { affiliation: { name: employer, ...(rorid !== undefined && { ror: rorid }) } }),
  };
}
