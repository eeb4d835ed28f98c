import type { PublicationRow } from "../../db/publication/publications.ts";
import { datasetUrn } from "../../domain/uuid.ts";
import { isDoi } from "../../publication/rules/doi.ts";

/** The identifier of a version or dataset, with its type. */
export interface Identifier {
  identifier: string;
  identifierType: "DOI" | "URN";
}

/**
 * The identifier of a version: the DOI as URL if the version is or was published under one, otherwise the URN of its dataset. A DOI
 * that is reserved or being registered is not its identifier yet.
 */
export function identifierOf(
  dataset: string,
  publication: Pick<PublicationRow, "identifier" | "published_at"> | null | undefined,
): Identifier {
  const { identifier = null, published_at = null } = publication ?? {};
  const isPublished = identifier !== null && published_at !== null && isDoi(identifier);
  return isPublished
    ? { identifier, identifierType: "DOI" }
    : { identifier: datasetUrn(dataset), identifierType: "URN" };
}

/** The type of an identifier under which a version is published; null without one. */
export function identifierTypeOf<T extends string | null>(identifier: T): T extends string ? "DOI" | "URN" : null;
export function identifierTypeOf(identifier: string | null): "DOI" | "URN" | null {
  if (identifier === null) return null;
  return isDoi(identifier) ? "DOI" : "URN";
}
