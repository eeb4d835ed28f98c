import { addressOfIdentifier, type IdentifierType } from "../../../packages/rules/src/index.ts";
import type { NormalizedRelation } from "../metadata/normalized.ts";
import { validUri } from "./iri.ts";

/** Namespaces of URNs for identifiers that have no resolver. */
const URNS: Partial<Record<IdentifierType, string>> = {
  ISBN: "urn:isbn:",
  ISSN: "urn:issn:",
  EISSN: "urn:issn:",
  LISSN: "urn:issn:",
};

/** An identifier with its type, as metadata have it. */
export type TypedIdentifier = Pick<NormalizedRelation, "relatedIdentifier" | "relatedIdentifierType">;

/**
 * The URI of a related resource: the web address of its identifier, or else its URN. Undefined if it has no identifier, or
 * one of a type that has neither.
 */
export function uriOfRelation(relation: TypedIdentifier): string | undefined {
  const { relatedIdentifier, relatedIdentifierType: type } = relation;
  if (relatedIdentifier === undefined || type === undefined) return undefined;
  const identifier = relatedIdentifier.toWellFormed();
  if (type === "URN" || type === "LSID") return validUri(identifier);
  const namespace = URNS[type];
  if (namespace !== undefined) return validUri(namespace + identifier);
  const address = addressOfIdentifier(identifier, type);
  return address === undefined ? undefined : validUri(address);
}

/** A related resource as one line of text: the citation, and the URI or identifier if the citation does not contain it. */
export function relationText(relation: NormalizedRelation): string {
  const { citation, relatedIdentifier } = relation;
  const identifier = uriOfRelation(relation) ?? relatedIdentifier;
  const isCited = relatedIdentifier !== undefined && citation?.includes(relatedIdentifier) === true;
  return [citation, isCited ? undefined : identifier].filter((part) => part !== undefined).join(" ");
}
