import type { RelatedIdentifier } from "../../domain/metadata/schema.ts";
import { recognizedIdentifier } from "../../domain/metadata/values/identifier.ts";
import type { IdentifierType, RelationType } from "../../domain/metadata/values/terms.ts";

/** The maximum that the schema allows. */
const LONGEST_IDENTIFIER = 1_000;

/** An identifier whose form states its type, such as the address of a DOI; undefined for other texts. */
export function identifierIn(text: string | undefined): { identifier: string; type: IdentifierType } | undefined {
  return text === undefined || text.length > LONGEST_IDENTIFIER ? undefined : recognizedIdentifier(text);
}

/**
 * A related resource with the first of the texts that is an identifier, or with a citation. Undefined if there is neither.
 */
export function relatedTo(
  relationType: RelationType,
  texts: (string | undefined)[],
  citation?: string,
): RelatedIdentifier | undefined {
  const identifier = texts.map(identifierIn).find((found) => found !== undefined);
  if (identifier === undefined && citation === undefined) return undefined;
  return {
    relationType,
    ...(identifier && { relatedIdentifier: identifier.identifier, relatedIdentifierType: identifier.type }),
    ...(citation !== undefined && { citation }),
  };
}

/** A citation of the parts that are given: “Carberry, J; Toth, C (2008): Title. Journal”. Undefined without title. */
export function citationOf(stated: {
  authors: (string | undefined)[];
  year?: string | undefined;
  title?: string | undefined;
  source?: string | undefined;
}): string | undefined {
  if (stated.title === undefined) return undefined;
  const authors = stated.authors.filter((author) => author !== undefined).join("; ");
  const year = stated.year === undefined ? "" : ` (${stated.year})`;
  const start = authors === "" && year === "" ? "" : `${authors}${year}: `.trimStart();
  const title = /[.!?]$/.test(stated.title) ? stated.title : `${stated.title}.`;
  return `${start}${title}${stated.source === undefined ? "" : ` ${stated.source}`}`;
}
