import type { FastifyReply, FastifyRequest } from "fastify";
import type { CountedCollection } from "../../db/collections/collections.ts";
import { collectionPage, collectionPath, collectionsPage } from "../../public/site/catalogue/collections.ts";
import type { HttpContext } from "../context.ts";
import { negotiated } from "../responses/negotiation.ts";
import { asWritten } from "../responses/send-text.ts";
import { searchIn, shownResults } from "./catalogue.ts";
import { languageOf, sendHtml, siteOf } from "./send.ts";

const TYPES = ["application/json", "text/html"] as const;

/** Whether a request for a collection, or for all, is one for its page. Other programs than browsers get JSON. */
export function prefersPage(request: FastifyRequest, reply: FastifyReply): boolean {
  return negotiated(request, reply, TYPES) === "text/html";
}

/** Sends the page with all collections. */
export function sendCollectionsPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  collections: readonly CountedCollection[],
): never {
  return send(context, request, reply, () =>
    collectionsPage(siteOf(context, request), collections, languageOf(request)),
  );
}

/** Sends the page of a collection with its datasets. */
export async function sendCollectionPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  collection: CountedCollection,
): Promise<never> {
  const { id } = collection;
  const language = languageOf(request);
  const { query, search } = searchIn(request, collectionPath(id));
  const results = await shownResults(context, { ...query, collection: [id] }, search, language);
  // Its datasets can belong to other collections, too, but these are not alternatives here.
  const facets = results.facets.filter(({ kind }) => kind !== "collection");
  const shown = { search, results: { ...results, facets } };
  return send(context, request, reply, () => collectionPage(siteOf(context, request), collection, shown, language));
}

/** A service that only archives has no public pages, and leads to the application. */
function send(
  { basePath, publication }: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: () => string,
): never {
  if (publication.mode === "off") return reply.redirect(`${basePath}/app/`) as never;
  return reply.serializer(asWritten).send(sendHtml(request, reply, { text: page() })) as never;
}
