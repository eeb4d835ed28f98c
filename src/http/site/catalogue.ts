import type { FastifyRequest } from "fastify";
import { ACCESS_KINDS } from "../../../packages/rules/src/index.ts";
import { CATALOGUE_SORTS } from "../../db/catalogue/order.ts";
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
    const text = cataloguePage(siteOf(context), shown, language);
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
  const result = await searchCatalogue(context, query, {
    limit: PAGE,
    offset: (page - 1) * PAGE,
    facets: valuesNeeded({ more }),
  });
  const pages = Math.max(1, Math.ceil(result.total / PAGE));
  const ids = result.facets.flatMap(({ kind, value }) => (kind === "collection" ? [value] : []));
  const collections = await collectionsById(context.db, ids);
  return {
    total: result.total,
    datasets: result.found.map(({ no, dataset_id: id, title, summary, access, embargo_date, published_at }) => {
      const matchedIn = result.matchedIn.get(no) ?? [];
      return { id, title, summary, access, embargoDate: embargo_date, publishedAt: published_at, matchedIn };
    }),
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
 * The search that the address of a page describes. People shorten and mistype addresses: what is not understood is ignored.
 * @param path of the page below the base path
 */
export function searchIn(
  { query: given }: FastifyRequest,
  path: string,
): { query: CatalogueQuery; search: ShownSearch } {
  const values = (name: string) =>
    [(given as Record<string, unknown>)[name]]
      .flat()
      .filter((value): value is string => typeof value === "string" && value !== "" && value.length <= LONGEST_VALUE)
      .map((value) => value.toWellFormed().replaceAll("\0", ""))
      .slice(0, MOST_VALUES);
  const [q = ""] = values("q");
  const terms: Partial<Record<TermKind, string[]>> = {};
  // On the page of a collection, other collections are no alternatives.
  const kinds = TERM_KINDS.filter((kind) => path === "/" || kind !== "collection");
  for (const kind of kinds) terms[kind] = values(kind);
  const access = ACCESS_KINDS.filter((kind) => values("access").includes(kind));
  const sort = CATALOGUE_SORTS.find((one) => values("sort").includes(one));
  const [page = "1"] = values("page");
  const query = { q: q.slice(0, LONGEST_QUERY).toWellFormed(), ...terms, access, ...(sort !== undefined && { sort }) };
  const chosen = TERM_KINDS.flatMap((kind) => (terms[kind] ?? []).map((value) => ({ kind, value })));
  return {
    query,
    search: {
      path,
      q: query.q,
      chosen: [...chosen, ...access.map((value) => ({ kind: "access" as const, value }))],
      sort: sortOf(query),
      more: kinds.find((kind) => values("more").includes(kind)),
      page: /^\d{1,4}$/.test(page) ? Math.min(Math.max(Number(page), 1), MOST_PAGES) : 1,
    },
  };
}
