import type { Affiliation } from "../../../metadata/schema.ts";
import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { addAuthors, affiliationOf, authorsOf, MAX_AFFILIATIONS, type StatedAgent } from "../people.ts";
import { identifiersOf, type Resolve, typesOf } from "./entity.ts";

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
export function addAgents(root: FileValue, draft: Draft, resolve: Resolve): void {
  const known = new Set<string>();
  const stated = new AgentReader(resolve);
  for (const [member, role] of ROLES) {
    const read = new Set<FileValue>();
    for (const entry of root.entries(member)) {
      if (!draft.isOpen("authors")) return;
      const agent = resolve(entry);
      // A file can refer to the same entity very often.
      if (read.has(agent)) continue;
      read.add(agent);
      const types = typesOf(agent);
      // CodeMeta adds the roles of persons as entities of type Role beside the persons themselves.
      if (types.some((type) => /(?:^|[/:])Role$/.test(type))) continue;
      const one = { role, ...stated.agent(agent, types) };
      const { authors } = authorsOf(one);
      const identity = JSON.stringify(authors.map((author) => ({ ...author, role: "" })));
      if (!REPEATED.has(role) || !known.has(identity)) addAuthors(one, agent.place, draft);
      if (authors.length > 0) known.add(identity);
    }
  }
  for (const member of PUBLISHERS) {
    const publisher = root.member(member);
    if (publisher !== undefined)
      draft.remark(publisher.place, `“${member}” is not used, because this service publishes the dataset.`);
  }
}

/** Reads persons and organisations. Each institution to which they refer is read once. */
class AgentReader {
  readonly #resolve: Resolve;
  readonly #institutions = new Map<FileValue, Affiliation[]>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  agent(agent: FileValue, types: string[]): Omit<StatedAgent, "role"> {
    const affiliations = agent.entries("affiliation", "memberOf").slice(0, MAX_AFFILIATIONS).map(this.#resolve);
    return {
      isOrganisation: types.length === 0 ? undefined : types.some((type) => ORGANISATION.test(type)),
      name: agent.text("name") ?? agent.text(),
      given: agent.text("givenName"),
      family: agent.text("familyName"),
      identifiers: this.#identifiers(agent),
      affiliations: affiliations.flatMap((one) => this.#institution(one)),
    };
  }

  /** Identifiers of a stated scheme count only if it is that of ORCID iDs or ROR ids. */
  #identifiers(entity: FileValue): string[] {
    const stated = identifiersOf(entity, this.#resolve);
    return stated.filter(({ scheme }) => scheme === undefined || /orcid|\bror\b/i.test(scheme)).map(({ text }) => text);
  }

  #institution(one: FileValue): Affiliation[] {
    const known = this.#institutions.get(one);
    if (known !== undefined) return known;
    const read = affiliationOf(one.text("name") ?? one.text(), ...this.#identifiers(one));
    this.#institutions.set(one, read);
    return read;
  }
}

/** The authors of a publication as a citation names them: “Carberry, Josiah”. */
export function citedAuthors(publication: FileValue, resolve: Resolve): (string | undefined)[] {
  return publication
    .entries("author", "creator")
    .map(resolve)
    .map((author) => {
      const [family, given] = [author.text("familyName"), author.text("givenName")];
      if (family !== undefined && given !== undefined) return `${family}, ${given}`;
      return author.text("name") ?? family ?? given ?? author.text();
    });
}
