import { type Static, Type } from "typebox";
import { ACCESS_KINDS } from "../../../packages/rules/src/index.ts";
import { CATALOGUE_SORTS, type CatalogueCursor, type CatalogueSort } from "../../db/catalogue/order.ts";
import type { CatalogueFilter } from "../../db/catalogue/prepare-search.ts";
import { TERM_KINDS, type TermKind } from "../../public/catalogue/entry.ts";
import { invalidCursor } from "../responses/paging.ts";
import { optionalText } from "../schemas/basics.ts";

const MOST_VALUES = 20;
const values = (description: string, examples: string[]) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), {
      maxItems: MOST_VALUES,
      description,
      examples: [examples],
    }),
  );

/** What people and machines ask of the catalogue. Several values of one kind are alternatives. */
export const CatalogueQuery = {
  q: optionalText({
    maxLength: 1_000,
    description:
      'Search text. All words must occur in the metadata, or in the names of files that are open. The beginning of a word is enough, and English and German endings are ignored, as are case and diacritics. `"…"` searches a phrase, and `-` before a word or a phrase excludes it. A DOI, or the id of a dataset, finds that dataset.',
    examples: ["soil moisture"],
  }),
  collection: values("Ids of collections.", ["barley"]),
  subject: values("Keywords or subject terms.", ["soil moisture"]),
  year: values("Years of publication, as in citations.", ["2026"]),
  author: values("Authors: ORCID iDs or ROR ids as URLs, or names (“family, given”).", [
    "https://orcid.org/0000-0002-1825-0097",
  ]),
  institution: values("Institutions: ROR ids as URLs, or names.", ["https://ror.org/02skbsp27"]),
  funder: values("Funders: identifiers, or names.", ["https://ror.org/018mejw64"]),
  licence: values("Licences: SPDX ids, or names.", ["CC-BY-4.0"]),
  type: values("General resource types of DataCite.", ["Dataset"]),
  format: values("File formats: extensions of file names.", ["csv"]),
  access: Type.Optional(
    Type.Array(Type.Enum(ACCESS_KINDS), {
      maxItems: ACCESS_KINDS.length,
      description: "Access to the files now. An embargo that has ended is `open`.",
      examples: [["open"]],
    }),
  ),
  sort: Type.Optional(
    Type.Enum(CATALOGUE_SORTS, {
      description: "Order. Default: `relevance` with a search text, `newest` without.",
      examples: ["newest"],
    }),
  ),
};
const CatalogueQueryObject = Type.Object(CatalogueQuery);
export type CatalogueQuery = Static<typeof CatalogueQueryObject>;

/** The filter that a query describes. */
export function filterOf(query: CatalogueQuery, now: Date): CatalogueFilter {
  const terms: Partial<Record<TermKind, readonly string[]>> = {};
  for (const kind of TERM_KINDS) if ((query[kind]?.length ?? 0) > 0) terms[kind] = query[kind] ?? [];
  return { q: query.q ?? "", terms, access: query.access ?? [], now };
}

/** The order of the results. */
export function sortOf({ q, sort }: CatalogueQuery): CatalogueSort {
  return sort ?? ((q ?? "").trim() === "" ? "newest" : "relevance");
}

/** The cursor that continues after a result. */
export function writePlace({ place, no }: CatalogueCursor): string {
  return Buffer.from(`${no} ${place}`).toString("base64url");
}

/** The position in a cursor; whether it is one of the sort order, the search decides. @throws Problem `bad_request` */
export function readPlace(cursor: string): CatalogueCursor {
  const [, no, place = ""] = /^(\d{1,18}) (.*)$/s.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  if (no === undefined) throw invalidCursor();
  return { place, no };
}
