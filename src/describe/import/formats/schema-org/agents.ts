import type { Affiliation } from "../../../metadata/schema.ts";
import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { citedName } from "../links.ts";
import { addAuthors, affiliationOf, authorsOf, MAX_AFFILIATIONS, type StatedAgent } from "../people.ts";
import { identifiersOf, typesOf } from "./entity.ts";

/** Members that name a person or organisation. CodeMeta 1 has `agents`. */
const ROLES: readonly [member: string, role: string][] = [
  ["author", "Creator"],
  ["creator", "Creator"],
  ["agents", "Creator"],
  ["contributor", "Contributor"],
  ["maintainer", "Contributor"],
  ["editor", "Editor"],
  ["producer", "Producer"],
  ["copyrightHolder", "RightsHolder"],
  ["sponsor", "Sponsor"],
];
/** Creators are often listed again in these roles. */
const REPEATED = new Set(["Contributor", "RightsHolder"]);

/** Members about organisations whose part this service takes over. */
const PUBLISHERS: readonly string[] = ["publisher", "provider", "sourceOrganization"];

const ORGANISATION = /(?:^|[/#:])(?:\w*Organi[sz]ation|Consortium|Project|ResearchProject|CollegeOrUniversity)$/i;

/** Adds the persons and organisations to whom the entity refers, each once in each role. */
export function addAgents(root: FileValue, draft: Draft): void {
  const known = new Set<string>();
  const institutions = new Map<FileValue, Affiliation[]>();
  for (const [member, role] of ROLES) {
    const read = new Set<FileValue>();
    for (const agent of root.linked(member)) {
      if (!draft.isOpen("authors")) return;
      // A file can refer to the same entity very often.
      if (read.has(agent)) continue;
      read.add(agent);
      const types = typesOf(agent);
      // CodeMeta adds the roles of persons as entities of type Role beside the persons themselves.
      if (types.some((type) => /(?:^|[/:])Role$/.test(type))) continue;
      const one = { role, ...statedAgent(agent, types, institutions) };
      const { authors } = authorsOf(one);
      const identity = JSON.stringify(authors.map((author) => ({ ...author, role: "" })));
      if (!REPEATED.has(role) || !known.has(identity)) addAuthors(one, agent.place, draft);
      if (authors.length > 0) known.add(identity);
    }
  }
  for (const member of PUBLISHERS) {
    const publisher = root.member(member);
    if (publisher !== undefined)
      draft.remark(publisher, `“${member}” is not used, because this service publishes the dataset.`);
  }
}

/** @param institutions those that were read before, because a file can refer to the same one very often */
function statedAgent(
  agent: FileValue,
  types: string[],
  institutions: Map<FileValue, Affiliation[]>,
): Omit<StatedAgent, "role"> {
  const institution = (one: FileValue): Affiliation[] => {
    const read = institutions.get(one) ?? affiliationOf(one.text("name") ?? one.text(), ...identifiersOfAgent(one));
    institutions.set(one, read);
    return read;
  };
  return {
    isOrganisation: types.length === 0 ? undefined : types.some((type) => ORGANISATION.test(type)),
    name: agent.text("name") ?? agent.text(),
    given: agent.text("givenName"),
    family: agent.text("familyName"),
    identifiers: identifiersOfAgent(agent),
    affiliations: agent.linked("affiliation", "memberOf").slice(0, MAX_AFFILIATIONS).flatMap(institution),
  };
}

/** Identifiers of a stated scheme count only if it is that of ORCID iDs or ROR ids. */
function identifiersOfAgent(entity: FileValue): string[] {
  const stated = identifiersOf(entity);
  return stated.filter(({ scheme }) => scheme === undefined || /orcid|\bror\b/i.test(scheme)).map(({ text }) => text);
}

/** The authors of a publication as a citation names them: “Carberry, Josiah”. */
export function citedAuthors(publication: FileValue): (string | undefined)[] {
  return publication.linked("author", "creator").map((author) => {
    const [family, given] = [author.text("familyName"), author.text("givenName")];
    const name = family === undefined || given === undefined ? author.text("name") : undefined;
    return name ?? citedName(family, given) ?? author.text();
  });
}
