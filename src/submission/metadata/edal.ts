import { givenText } from "../blank.ts";
import type { Remark } from "../problems.ts";
import { pointerTo } from "../shape.ts";

/** What e!DAL's client puts between the affiliation, the city and the address. */
const SEPARATOR = ", ";
/** What it writes for a member that an imported author does not have. */
const NOTHING = new Set(["undefined", "null"]);
/** Characters of an affiliation that a warning repeats. */
const QUOTED = 200;

/**
 * Whether e!DAL's client sent this access: it adds what its own test of the connection found.
 * @param access the member or part `s3access`
 */
export function isFromEdal(access: unknown): boolean {
  return isObject(access) && typeof access.validated === "boolean" && isTextOrNone(access.validationMsg);
}

/**
 * The metadata with the affiliations that e!DAL's client puts in front of addresses. It sends an author's affiliation,
 * city and address as one `address`, joined by a comma and a space, and neither `affiliation` nor `city`.
 *
 * The affiliation is what stands before the first separator, and no more: any later part can already be of the postal
 * address, which is personal and never published. An affiliation that has a comma itself is therefore cut. A warning
 * names what was taken. `address` stays as it was sent.
 */
export function withAffiliations(metadata: unknown, base = "/metadata"): { metadata: unknown; warnings: Remark[] } {
  const warnings: Remark[] = [];
  if (!isObject(metadata) || !Array.isArray(metadata.authors)) return { metadata, warnings };
  const authors = metadata.authors.map((author: unknown, index) => {
    const affiliation = affiliationOf(author);
    if (affiliation === undefined) return author;
    const said = affiliation.length > QUOTED ? `${affiliation.slice(0, QUOTED)}…` : affiliation;
    warnings.push({
      pointer: pointerTo(base, "authors", index, "affiliation"),
      code: "affiliation_recovered",
      detail: `“${said}” is taken as the affiliation: the address up to its first comma. The rest is not published.`,
    });
    return { ...(author as object), affiliation };
  });
  return { metadata: { ...metadata, authors }, warnings };
}

function affiliationOf(author: unknown): string | undefined {
  if (!isObject(author) || author.affiliation !== undefined || typeof author.address !== "string") return undefined;
  const [first = "", ...others] = author.address.split(SEPARATOR);
  if (others.length < 2 || NOTHING.has(first)) return undefined;
  return givenText(first);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
