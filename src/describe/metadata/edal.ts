import { canonicalRor } from "../../../packages/rules/src/index.ts";
import { givenText } from "../../domain/blank.ts";
import type { Remark } from "../../domain/problems.ts";
import { pointerTo } from "../../domain/remarks.ts";
import { isObject } from "../../domain/shape.ts";

/** The separator that e!DAL's client writes between affiliation, city and address. */
const SEPARATOR = ", ";
/** Texts that the client writes for a missing member of an imported author. */
const NOTHING = new Set(["undefined", "null"]);
/** Matches streets with a house number, postal codes and post-office boxes, which do not occur in affiliations. */
const POSTAL = new RegExp(
  [
    String.raw`\p{N}`,
    String.raw`^c\/o\b|\bp\.? ?o\.? box\b|postfach`,
    String.raw`(?:stra(?:ß|ss)e|str\.|weg|gasse|platz|allee|ufer|damm)$`,
    String.raw`\b(?:street|st\.|road|rd\.|avenue|lane)$`,
    "^(?:rue|calle|boulevard|avenue|am|an der) ",
  ].join("|"),
  "iu",
);
/** Maximum number of characters of an affiliation that a warning quotes. */
const QUOTED = 200;

/**
 * Whether e!DAL's client sent this access: it adds the result of its own connection test.
 * @param access the member or part `s3access`
 */
export function isFromEdal(access: unknown): boolean {
  return isObject(access) && typeof access.validated === "boolean" && isTextOrNone(access.validationMsg);
}

/**
 * The metadata with the affiliations that e!DAL's client puts in front of addresses. It sends an author's affiliation,
 * city and address as one `address`, joined by a comma and a space, and neither `affiliation` nor `city`.
 *
 * The affiliation is the text before the first separator. Any later part can be part of the postal address, which is
 * personal data and never published. An affiliation that contains a comma is therefore cut. A first part that could be
 * a street, a postal code or a post-office box is not used. A warning quotes the affiliation, or states that none was found.
 * `address` is unchanged.
 *
 * @param metadata without empty members
 * @param raw the same metadata as they were sent, where an empty `affiliation` or `city` is still present
 */
export function withAffiliations(
  metadata: unknown,
  raw: unknown,
  base = "/metadata",
): { metadata: unknown; warnings: Remark[] } {
  const warnings: Remark[] = [];
  if (!isObject(metadata) || !Array.isArray(metadata.authors)) return { metadata, warnings };
  const sent: unknown[] = isObject(raw) && Array.isArray(raw.authors) ? raw.authors : [];
  const authors = metadata.authors.map((author: unknown, index) => {
    const affiliation = firstPartOf(sent[index]);
    if (affiliation === undefined) return author;
    const pointer = pointerTo(base, "authors", index, "affiliation");
    if (POSTAL.test(affiliation)) {
      const detail =
        "The beginning of the address could be part of a postal address, so it is not used as the affiliation.";
      warnings.push({ pointer, code: "affiliation_unclear", detail });
      return author;
    }
    const quoted = affiliation.length > QUOTED ? `${affiliation.slice(0, QUOTED)}…` : affiliation;
    warnings.push({
      pointer,
      code: "affiliation_recovered",
      detail: `“${quoted}” is used as the affiliation: the address up to its first comma. The rest is not part of the package.`,
    });
    return { ...(author as object), affiliation };
  });
  return { metadata: { ...metadata, authors }, warnings };
}

/**
 * The metadata without ROR ids that are not valid, each with the warning `ror_invalid`. e!DAL's client shows no errors of
 * single fields, and earlier versions of the service accepted these requests. For other clients such an id is an error.
 *
 * @param metadata without empty members
 */
export function withoutInvalidRors(metadata: unknown, base = "/metadata"): { metadata: unknown; warnings: Remark[] } {
  const warnings: Remark[] = [];
  if (!isObject(metadata) || !Array.isArray(metadata.authors)) return { metadata, warnings };
  const authors = metadata.authors.map((author: unknown, index) => {
    if (!isObject(author) || typeof author.rorid !== "string") return author;
    if (givenText(author.rorid) === undefined || canonicalRor(author.rorid) !== undefined) return author;
    const detail = "The form or the checksum of the ROR id is wrong. The id is left out.";
    warnings.push({ pointer: pointerTo(base, "authors", index, "rorid"), code: "ror_invalid", detail });
    const { rorid: _, ...others } = author;
    return others;
  });
  return { metadata: { ...metadata, authors }, warnings };
}

/** The text before the first separator in an address of that client; undefined for an address of another kind. */
function firstPartOf(author: unknown): string | undefined {
  if (!isObject(author) || "affiliation" in author || "city" in author) return undefined;
  if (typeof author.address !== "string") return undefined;
  const [first = "", ...others] = author.address.split(SEPARATOR);
  if (others.length < 2 || NOTHING.has(first)) return undefined;
  return givenText(first);
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
