import type { PublicAuthor } from "./normalized.ts";

/** Who made a dataset or helped, without postal data: those are personal and in no export (CONTRACT 3.2). */
export interface Agent {
  kind: "person" | "organisation";
  /** Of a person “Family, Given”. */
  name: string;
  family?: string;
  given?: string;
  /** As a URL. */
  orcid?: string;
  affiliation?: { name: string; ror?: string };
}

/** A person has a name or an ORCID. Whoever has neither is the organisation that stands there as the affiliation. */
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
