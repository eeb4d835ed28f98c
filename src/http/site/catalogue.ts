import type { FastifyRequest } from "fastify";
import { ACCESS_KINDS } from "../../../packages/rules/src/index.ts";
import { CATALOGUE_SORTS, type CatalogueSort } from "../../db/catalogue/order.ts";
import { collectionsById, countCollections } from "../../db/collections/collections.ts";
import { textIn } from "../../domain/collection.ts";
import { TERM_KINDS, type TermKind } from "../../public/catalogue/entry.ts";
import { type CatalogueResults, cataloguePage } from "../../public/site/catalogue/catalogue.ts";
import { valuesNeeded } from "../../public/site/catalogue/facets.ts";
import { isStartPage, type ShownSearch } from "../../public/site/catalogue/search.ts";
import type { Language } from "../../public/site/site.ts";
import { type CatalogueQuery, sortOf } from "../catalogue/query.ts";
import { highlighted, searchCatalogue } from "../catalogue/search.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { languageOf, sendHtml, siteOf } from "./send.ts";

const PAGE = 20;
/** Pages that people can open. The API lists all results. */
const MOST_PAGES = 50;
const MOST_VALUES = 20;
const LONGEST_VALUE = 2_000;
const LONGEST_QUERY = 1_000;

/** The catalogue for people. A service that only archives has none, and leads to the application. */
export function cataloguePages(server: Server, context: HttpContext): void {
  const { basePath, publication } = context;
  server.get("/", { schema: { hide: true } }, async (request, reply) => {
    if (publication.mode === "off") return reply.redirect(`${basePath}/app/`);
    const language = languageOf(request);
    const { query, search } = searchIn(request, "/");
    const results = await shownResults(context, query, search, language);
    const hasCollections = isStartPage(search) && (await countCollections(context.db)) > 0;
    const names = await collectionsById(context.db, query.collection ?? []);
    const chosen = search.chosen.map((one) => {
      const name = one.kind === "collection" ? names.get(one.value)?.name : undefined;
      return { ...one, ...(name !== undefined && { label: textIn(name, language).text }) };
    });
    const shown = { search: { ...search, chosen }, results, hasCollections };
    const text = cataloguePage(siteOf(context, request), shown, language);
    return reply.send(sendHtml(request, reply, { text }));
  });
}

/** A page of results as it is shown. Collections have their names in the language of the page. */
export async function shownResults(
  context: HttpContext,
  query: CatalogueQuery,
  { page, more }: Pick<ShownSearch, "page" | "more">,
  language: Language,
): Promise<CatalogueResults> {
  const isOpened = page <= MOST_PAGES;
  const result = await searchCatalogue(context, query, {
    limit: isOpened ? PAGE : 1,
    offset: isOpened ? (page - 1) * PAGE : 0,
    facets: valuesNeeded({ more }),
  });
  const pages = Math.max(1, Math.ceil(result.total / PAGE));
  const ids = result.facets.flatMap(({ kind, value }) => (kind === "collection" ? [value] : []));
  const collections = await collectionsById(context.db, ids);
  return {
    total: result.total,
    datasets: (isOpened ? result.found : []).map(
      ({ no, dataset_id: id, title, summary, access, embargo_date, published_at }) => {
        const matchedIn = result.matchedIn.get(no) ?? [];
        return { id, title, summary, access, embargoDate: embargo_date, publishedAt: published_at, matchedIn };
      },
    ),
    facets: result.facets.map((facet) => {
      const name = facet.kind === "collection" ? collections.get(facet.value)?.name : undefined;
      return name === undefined ? facet : { ...facet, label: textIn(name, language).text };
    }),
    pages: Math.min(pages, MOST_PAGES),
    isCut: pages > MOST_PAGES,
    highlight: (text: string) => highlighted(text, result.matches),
  };
}

/**
 * The search that the address of a page describes. People shorten and mistype addresses: what is not understood is ignored, and the page
 * says so.
 * @param path of the page below the base path
 */
export function searchIn(
  { query: given }: FastifyRequest,
  path: string,
): { query: CatalogueQuery; search: ShownSearch } {
  const ignored = new Set<string>();
  const texts = (name: string) => {
    const all = [(given as Record<string, unknown>)[name]].flat().filter((value) => typeof value === "string");
    return all.filter((value) => value !== "").map((value) => value.toWellFormed().replaceAll("\0", ""));
  };
  /** The values that are understood. */
  const values = (name: string, isKnown: (value: string) => boolean, most = MOST_VALUES) => {
    const all = texts(name);
    const known = all.filter(isKnown).slice(0, most);
    if (known.length < all.length) ignored.add(name);
    return known;
  };
  const [text = ""] = texts("q");
  if (text.length > LONGEST_QUERY) ignored.add("q");
  const terms: Partial<Record<TermKind, string[]>> = {};
  // On the page of a collection, other collections are no alternatives.
  const kinds = TERM_KINDS.filter((kind) => path === "/" || kind !== "collection");
  for (const kind of kinds) terms[kind] = values(kind, (value) => value.length <= LONGEST_VALUE);
  const access = ACCESS_KINDS.filter((kind) => values("access", isIn(ACCESS_KINDS)).includes(kind));
  const [sort] = values("sort", isIn(CATALOGUE_SORTS), 1);
  const [more] = values("more", isIn(kinds), 1);
  const [page = "1"] = values("page", (value) => /^[1-9]\d{0,3}$/.test(value), 1);
  const query = {
    ...{ q: text.slice(0, LONGEST_QUERY).toWellFormed(), ...terms, access },
    ...(sort !== undefined && { sort: sort as CatalogueSort }),
  };
  const chosen = TERM_KINDS.flatMap((kind) => (terms[kind] ?? []).map((value) => ({ kind, value })));
  return {
    query,
    search: {
      path,
      q: query.q,
      chosen: [...chosen, ...access.map((value) => ({ kind: "access" as const, value }))],
      sort: sortOf(query),
      more: kinds.find((kind) => kind === more),
      page: Number(page),
      ignored: [...ignored],
    },
  };
}

function isIn(known: readonly string[]): (value: string) => boolean {
  return (value) => known.includes(value);
}
