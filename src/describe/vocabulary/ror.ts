import { InvalidVocabulary } from "./invalid-vocabulary.ts";
import type { JsonObject } from "./json-entries.ts";
import type { VocabularyEntry } from "./vocabulary.ts";

/** A record of the Research Organization Registry (schema 2.0 and 2.1), as far as it is used. */
interface RorRecord {
  id: string;
  status: unknown;
  types: unknown[];
  names: { value: string; types: unknown[]; lang: string | null }[];
  locations: JsonObject[];
}

/** Whether an entry of a file is a record of this registry, of any schema. */
export function isRorRecord(value: JsonObject): boolean {
  return (
    typeof value.id === "string" && /^https?:\/\/ror\.org\//.test(value.id) && ("names" in value || "name" in value)
  );
}

/**
 * The entry for an organisation; undefined if it is not active.
 *
 * @param onlyType only organisations of this type, such as `funder`
 * @throws InvalidVocabulary without a place
 */
export function rorEntry(value: JsonObject, onlyType: string | undefined): VocabularyEntry | undefined {
  const record = recordIn(value);
  if (record.status !== "active") return undefined;
  if (onlyType !== undefined && !record.types.includes(onlyType)) return undefined;
  const display = record.names.find(({ types }) => types.includes("ror_display")) ?? record.names[0];
  if (display === undefined) throw new InvalidVocabulary("The organisation has no name");
  const others = record.names.filter((name) => name !== display);
  const isAcronym = ({ types }: { types: unknown[] }) => types.includes("acronym");
  const details = record.locations[0]?.geonames_details;
  const place = typeof details === "object" && details !== null ? (details as JsonObject) : {};
  return {
    id: record.id,
    label: display.value,
    acronyms: others.filter(isAcronym).map(({ value }) => value),
    alternatives: others.filter((name) => !isAcronym(name)).map(({ value }) => value),
    language: display.lang,
    scheme: "ROR",
    schemeUri: "https://ror.org",
    notation: null,
    city: textOrNull(place.name),
    country: textOrNull(place.country_name),
  };
}

function recordIn(value: JsonObject): RorRecord {
  if (!isRorRecord(value)) {
    throw new InvalidVocabulary(
      "It is not an organisation of ROR: “id” is not an address of ror.org, or “names” is missing",
    );
  }
  if (!Array.isArray(value.names)) {
    throw new InvalidVocabulary(
      "The organisation has schema version 1 of ROR. Import a file with schema version 2, which has “names” instead of “name”",
    );
  }
  const names = value.names.map((name: unknown) => {
    const { value, types, lang } = (name ?? {}) as JsonObject;
    if (typeof value !== "string" || !Array.isArray(types)) {
      throw new InvalidVocabulary("“names” must contain objects with “value” and “types”");
    }
    return { value, types, lang: textOrNull(lang) };
  });
  return {
    id: String(value.id),
    status: value.status,
    types: Array.isArray(value.types) ? value.types : [],
    names,
    locations: Array.isArray(value.locations) ? (value.locations as JsonObject[]) : [],
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
