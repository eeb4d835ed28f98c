import { canonicalRor } from "../../../packages/rules/src/index.ts";
import { funderIdentifier } from "../metadata/values/funder.ts";
import { canonicalUrl, identifierOf } from "../metadata/values/identifier.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";
import type { VocabularyKind } from "./vocabulary.ts";

/** Whether a text is an address of a concept or scheme: http(s) or a URN. */
export function isConceptAddress(text: string): boolean {
  return canonicalUrl(text) !== undefined || identifierOf("URN", text) !== undefined;
}

/**
 * The identifier of an entry in its usual form. A suggestion fills it into metadata, whose check must accept it.
 *
 * @throws InvalidVocabulary without a place
 */
export function entryId(kind: VocabularyKind, id: string): string {
  const stated = id.trim();
  if (stated === "") throw new InvalidVocabulary("The identifier is empty");
  switch (kind) {
    case "organisations":
      return canonicalRor(stated) ?? refuse(stated, "a ROR id with a correct checksum");
    case "funders":
      return (
        funderIn(stated)?.identifier ?? refuse(stated, "a Crossref Funder id, ROR id, ISNI, GRID id or web address")
      );
    case "subjects":
      return isConceptAddress(stated) ? stated : refuse(stated, "a web address (https:// or http://) or a URN");
  }
}

/** The type of a funder’s identifier in DataCite metadata. */
export function funderScheme(id: string): string {
  return funderIn(id.trim())?.type ?? "Other";
}

/** The address of a concept scheme. @throws InvalidVocabulary without a place */
export function schemeAddress(address: string | null): string | null {
  if (address === null || address.trim() === "" || isConceptAddress(address)) return address;
  throw new InvalidVocabulary(
    `The address of the scheme “${address.slice(0, 100)}” is not a web address (https:// or http://) or a URN`,
  );
}

function funderIn(id: string): { identifier: string; type: string } | undefined {
  const known = funderIdentifier(id);
  if (known !== undefined) return known;
  const url = canonicalUrl(id);
  // A wrong ROR id is not an address of another kind.
  if (url === undefined || /^https?:\/\/(?:www\.)?(?:ror|isni)\.org\//i.test(url)) return undefined;
  return { identifier: id, type: "Other" };
}

function refuse(id: string, wanted: string): never {
  throw new InvalidVocabulary(`The identifier “${id.slice(0, 100)}” is not ${wanted}`);
}
