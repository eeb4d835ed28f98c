import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { FoundDataset } from "../../../db/catalogue/search.ts";
import type { MatchedPart } from "../../../public/catalogue/entry.ts";
import { CatalogueQuery, readPlace, writePlace } from "../../catalogue/query.ts";
import { searchCatalogue } from "../../catalogue/search.ts";
import type { HttpContext } from "../../context.ts";
import { datasetUrl } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/catalogue-examples.ts";
import { nextPage } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { identifierTypeOf } from "../../responses/identifier.ts";
import { linkNext } from "../../responses/paging.ts";
import { optionalFlag, optionalInteger, optionalText } from "../../schemas/basics.ts";
import { Catalogue, type PublishedDataset } from "../../schemas/catalogue.ts";

/** Default and maximum number of datasets per page. */
const PAGE = 20;
const MOST = 100;
/** Default and maximum number of values of each kind. */
const VALUES = 10;
const MOST_VALUES = 100;

/** Query parameters of a page of the catalogue. */
export const CataloguePage = {
  facets: optionalFlag({
    default: false,
    examples: [true],
    description: "Whether to count the values by which the search can be narrowed down.",
  }),
  facetLimit: optionalInteger({
    minimum: 1,
    maximum: MOST_VALUES,
    default: VALUES,
    description: "Maximum number of values of each kind, the most frequent first. Only with `facets=true`.",
    examples: [VALUES],
  }),
  limit: optionalInteger({
    minimum: 1,
    maximum: MOST,
    default: PAGE,
    description: "Maximum number of datasets per page.",
    examples: [20],
  }),
  cursor: optionalText({ maxLength: 1_000, description: "Cursor from the `Link` header of the previous page." }),
};

/** A page of the catalogue. */
export const CATALOGUE_ANSWER = {
  200: documented(Catalogue, {
    description: "A page of published datasets.",
    headers: { Link: nextPage },
    example: examples.catalogue,
  }),
};

/** Searches the published datasets. */
export const catalogueDatasets = operation({
  route: "GET /datasets",
  operationId: "searchDatasets",
  summary: "Search published datasets",
  description:
    "Returns the published datasets that a search finds, each with its newest published version. No authentication is needed. Parameters that can have several values are repeated (`year=2025&year=2026`): values of one parameter are alternatives, and all parameters must apply.",
  tag: "Catalogue",
  querystring: Type.Object({ ...CatalogueQuery, ...CataloguePage }),
  response: CATALOGUE_ANSWER,
  handler: async (context, request, reply) => answerSearch(context, request, reply, request.query),
});

/** Answers a search with a page of datasets, and links to the next one. */
export async function answerSearch(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: CatalogueQuery & { limit?: number; cursor?: string; facets?: boolean; facetLimit?: number },
): Promise<Static<typeof Catalogue>> {
  const { limit = PAGE, cursor, facets = false, facetLimit = VALUES, ...query } = asked;
  const after = cursor === undefined ? undefined : readPlace(cursor);
  // One more than wanted shows whether there is a next page.
  const result = await searchCatalogue(context, query, { limit: limit + 1, after, facets: facets ? facetLimit : 0 });
  const last = result.found[limit - 1];
  if (result.found.length > limit && last !== undefined) linkNext(request, reply, context.basePath, writePlace(last));
  return {
    total: result.total,
    datasets: result.found.slice(0, limit).map((found) => view(context, found, result.matchedIn.get(found.no))),
    facets: result.facets,
    matches: [...result.matches],
  };
}

function view(
  context: HttpContext,
  found: FoundDataset,
  matchedIn: MatchedPart[] = [],
): Static<typeof PublishedDataset> {
  const { dataset_id: id, version, title, summary, access, embargo_date, published_at, changed_at } = found;
  return {
    id,
    url: datasetUrl(context, { id }),
    version,
    title,
    ...summary,
    identifierType: identifierTypeOf(summary.identifier),
    access,
    embargoDate: access === "embargoed" ? embargo_date : null,
    publishedAt: published_at.toISOString(),
    changedAt: changed_at.toISOString(),
    matchedIn,
  };
}
