import type { FastifyRequest } from "fastify";
import { ACCESS_KINDS } from "../../../packages/rules/src/index.ts";
import { CATALOGUE_SORTS } from "../../db/catalogue/order.ts";
import { TERM_KINDS, type TermKind } from "../../public/catalogue/entry.ts";
import { cataloguePage } from "../../public/site/catalogue/catalogue.ts";
import type { ShownSearch } from "../../public/site/catalogue/search.ts";
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
    const { query, search } = searchOf(request);
    const offset = (search.page - 1) * PAGE;
    const result = await searchCatalogue(context, query, { limit: PAGE, offset, facets: true });
    const pages = Math.max(1, Math.ceil(result.total / PAGE));
    const results = {
      total: result.total,
      datasets: result.found.map(({ dataset_id: id, title, summary, access, embargo_date, published_at }) => {
        return { id, title, summary, access, embargoDate: embargo_date, publishedAt: published_at };
      }),
      facets: result.facets,
      pages: Math.min(pages, MOST_PAGES),
      isCut: pages > MOST_PAGES,
      highlight: (text: string) => highlighted(text, result.matches),
    };
    const text = cataloguePage(siteOf(context), search, results, languageOf(request));
    return reply.send(sendHtml(request, reply, { text }));
  });
}

/** The search that an address describes. People shorten and mistype addresses: what is not understood is ignored. */
function searchOf({ query: given }: FastifyRequest): { query: CatalogueQuery; search: ShownSearch } {
  const values = (name: string) =>
    [(given as Record<string, unknown>)[name]]
      .flat()
      .filter((value): value is string => typeof value === "string" && value !== "" && value.length <= LONGEST_VALUE)
      .map((value) => value.toWellFormed().replaceAll("\0", ""))
      .slice(0, MOST_VALUES);
  const [q = ""] = values("q");
  const terms: Partial<Record<TermKind, string[]>> = {};
  for (const kind of TERM_KINDS) terms[kind] = values(kind);
  const access = ACCESS_KINDS.filter((kind) => values("access").includes(kind));
  const sort = CATALOGUE_SORTS.find((one) => values("sort").includes(one));
  const [page = "1"] = values("page");
  const query = { q: q.slice(0, LONGEST_QUERY).toWellFormed(), ...terms, access, ...(sort !== undefined && { sort }) };
  const chosen = TERM_KINDS.flatMap((kind) => (terms[kind] ?? []).map((value) => ({ kind, value })));
  return {
    query,
    search: {
      q: query.q,
      chosen: [...chosen, ...access.map((value) => ({ kind: "access" as const, value }))],
      sort: sortOf(query),
      page: /^\d{1,4}$/.test(page) ? Math.min(Math.max(Number(page), 1), MOST_PAGES) : 1,
    },
  };
}
