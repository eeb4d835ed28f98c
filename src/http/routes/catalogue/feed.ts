import { Type } from "typebox";
import type { FoundDataset } from "../../../db/catalogue/search.ts";
import { collectionsById } from "../../../db/collections/collections.ts";
import { datasetUrn } from "../../../domain/uuid.ts";
import { CatalogueQuery } from "../../catalogue/query.ts";
import { searchCatalogue } from "../../catalogue/search.ts";
import type { HttpContext } from "../../context.ts";
import { datasetUrl, siteUrl } from "../../dataset/readable-version.ts";
import type { Server } from "../../fastify.ts";
import { element, type Xml, xmlDocument } from "../../responses/xml.ts";
import { STARTED_AT, sendList, siteOf } from "../../site/send.ts";

const ATOM = "http://www.w3.org/2005/Atom";
const ENTRIES = 50;
const NEWEST = { sort: "newest" } as const;
const { sort: _, ...FeedQuery } = CatalogueQuery;

/** The newest published datasets, or those that a search finds, as an Atom feed (RFC 4287). */
export function feed(server: Server, context: HttpContext): void {
  const querystring = Type.Object(FeedQuery);
  server.get("/feed.atom", { schema: { hide: true, querystring } }, async (request, reply) => {
    const query = { ...request.query, sort: "newest" as const };
    const { found } = await searchCatalogue(context, query, { limit: ENTRIES, facets: 0 });
    const self = `${siteUrl(context)}/feed.atom${searchOf(request.raw.url)}`;
    const updated = await changedAt(context, found);
    const { name } = siteOf(context);
    const { q = "", collection = [] } = query;
    const names = [...(await collectionsById(context.db, collection)).values()].map((one) => one.name.en);
    const subject = [...names, ...(q === "" ? [] : [q])].join(", ");
    const document = element(
      "feed",
      [
        element("id", self),
        element("title", subject === "" ? name : `${name}: ${subject}`),
        element("updated", updated.toISOString()),
        element("link", undefined, { rel: "self", type: "application/atom+xml", href: self }),
        element("link", undefined, {
          rel: "alternate",
          type: "text/html",
          href: `${siteUrl(context)}/${searchOf(request.raw.url)}`,
        }),
        element("author", element("name", name)),
        ...found.map((dataset) => entry(context, dataset)),
      ],
      { xmlns: ATOM },
    );
    return sendList(request, reply, "application/atom+xml; charset=utf-8", xmlDocument(document));
  });
}

/**
 * The last change of the datasets of a feed. The format requires a time also without datasets: that of the newest dataset of the
 * service, or else the start of the service.
 */
async function changedAt(context: HttpContext, found: readonly FoundDataset[]): Promise<Date> {
  const all = found.length > 0 ? found : (await searchCatalogue(context, NEWEST, { limit: 1, facets: 0 })).found;
  return all.length === 0 ? STARTED_AT : new Date(Math.max(...all.map(({ changed_at }) => changed_at.getTime())));
}

function entry(context: HttpContext, { dataset_id: id, title, summary, published_at, changed_at }: FoundDataset): Xml {
  const { identifier, creators, creatorCount, keywords, description, licence } = summary;
  const names = creatorCount > creators.length ? [...creators, "et al."] : creators;
  return element("entry", [
    element("id", identifier === "" ? datasetUrn(id) : identifier),
    element("title", title),
    element("link", undefined, { rel: "alternate", type: "text/html", href: datasetUrl(context, { id }) }),
    element("published", published_at.toISOString()),
    element("updated", changed_at.toISOString()),
    ...names.map((name) => element("author", element("name", name))),
    ...keywords.map((term) => element("category", undefined, { term })),
    licence === null ? undefined : element("rights", licence),
    element("summary", description === "" ? title : description),
  ]);
}

/** The search of an address, in the form in which URIs may contain it. */
function searchOf(url = ""): string {
  return new URL(url, "http://localhost").search;
}
