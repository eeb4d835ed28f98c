import type { Agent } from "../submission/metadata/agent.ts";

/** The parts of a person's name as citation formats have them. */
export interface NameParts {
  family?: string;
  given?: string;
  suffix?: string;
}

/** A suffix behind a comma at the end of a family name or of given names. */
const SUFFIX =
  /^(.*\S)\s*,\s*((?:jr|sr|jun|sen)\.?|junior|senior|[ivx]{2,4}|[2-9](?:nd|rd|th)|ph\.?\s?d\.?|m\.?d\.?|esq\.?)$/is;

/** Separates a suffix from the name it was sent with: “King, Jr.” is the family name “King” with the suffix “Jr.”. */
export function namePartsOf(agent: Agent): NameParts {
  const family = split(agent.family);
  const given = split(agent.given);
  const suffix = [...family.suffixes, ...given.suffixes].join(", ");
  return {
    ...(family.name !== undefined && { family: family.name }),
    ...(given.name !== undefined && { given: given.name }),
    ...(suffix !== "" && { suffix }),
  };
}

/** The name without its suffixes, which are in the order in which they were sent. */
function split(name: string | undefined): { name: string | undefined; suffixes: string[] } {
  const [, before, suffix] = SUFFIX.exec(name ?? "") ?? [];
  if (before === undefined || suffix === undefined) return { name, suffixes: [] };
  const rest = split(before);
  return { name: rest.name, suffixes: [...rest.suffixes, suffix] };
}
