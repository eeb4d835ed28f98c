import type { Agent } from "../submission/metadata/agent.ts";

/** The parts of a person's name as citation formats have them. */
export interface NameParts {
  family?: string;
  given?: string;
  suffix?: string;
}

/** What stands behind a comma at the end of a family name or of given names and is part of neither. */
const SUFFIX =
  /^(.*\S)\s*,\s*((?:jr|sr|jun|sen)\.?|junior|senior|[ivx]{2,4}|[2-9](?:nd|rd|th)|ph\.?\s?d\.?|m\.?d\.?|esq\.?)$/is;

/** Separates a suffix from the name it was sent with: “King, Jr.” is the family name “King” with the suffix “Jr.”. */
export function namePartsOf({ family, given }: Agent): NameParts {
  const [, beforeInFamily, ofFamily] = SUFFIX.exec(family ?? "") ?? [];
  const [, beforeInGiven, ofGiven] = SUFFIX.exec(given ?? "") ?? [];
  const suffix = ofFamily ?? ofGiven;
  const own = { family: beforeInFamily ?? family, given: ofFamily === undefined ? (beforeInGiven ?? given) : given };
  return {
    ...(own.family !== undefined && { family: own.family }),
    ...(own.given !== undefined && { given: own.given }),
    ...(suffix !== undefined && { suffix }),
  };
}
