import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import {
  type CollectionRow,
  type CollectionContent as Content,
  countCollections,
  insertCollection,
  lockCollection,
  updateCollection,
} from "../../../db/collections/collections.ts";
import { isCurator } from "../../../db/publication/curators.ts";
import type { Trx } from "../../../db/submissions/submissions.ts";
import { licenceById } from "../../../describe/metadata/values/spdx.ts";
import { isBlank } from "../../../domain/blank.ts";
import { Problem, type Remark } from "../../../domain/problems.ts";
import { archiveCollections } from "../../../intake/archive-collections.ts";
import { invalid } from "../../../intake/request.ts";
import { collectionTag, requireCollection, viewCollection } from "../../collection/view.ts";
import type { HttpContext } from "../../context.ts";
import * as examples from "../../openapi/collection-examples.ts";
import { location, collectionTag as tagHeader } from "../../openapi/headers.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { tagsOfIfMatch } from "../../requests/preconditions.ts";
import { optionalText } from "../../schemas/basics.ts";
import { CollectionContent, CollectionView, NewCollectionParams } from "../../schemas/collection.ts";
import { UNKNOWN_CURATORS } from "../publication/action-references.ts";

/** All collections are one list, which is not paged. */
const MOST_COLLECTIONS = 1_000;
const TAGS = { pattern: /^"c\d+"$/, example: '"c1"', of: "the collection" };

/** Creates a collection, or replaces what admins decide about it. */
export const collectionPut = operation({
  route: "PUT /collections/:id",
  operationId: "setCollection",
  summary: "Create or change a collection",
  description:
    "Creates the collection, or replaces its name, description, curators and licences. Its datasets stay, also those with a licence that is no longer accepted. A change must name the `ETag` of the collection in `If-Match`; without the header, an existing collection is not changed. For admins.",
  tag: "Collections",
  problems: ["collection_conflict", "if_match_required", "too_many_collections", "archive_unwritable"],
  params: NewCollectionParams,
  headers: Type.Object({
    "if-match": optionalText({ description: "`ETag` of the collection that is changed.", examples: ['"c1"'] }),
  }),
  body: withExample(CollectionContent, examples.collectionContent),
  response: {
    200: documented(CollectionView, {
      description: "The collection was changed.",
      headers: { ETag: tagHeader },
      example: examples.collection,
    }),
    201: documented(CollectionView, {
      description: "The collection was created.",
      headers: { ETag: tagHeader, Location: location },
      example: { ...examples.collection, datasets: 0 },
    }),
  },
  handler: async (context, request, reply) => {
    const { id } = request.params;
    const content = await contentOf(context, request.body);
    const isNew = await context.db.transaction().execute(async (trx) => {
      const isAdded = await save(trx, id, content, request);
      await archiveCollections(context.intake, trx);
      return isAdded;
    });
    request.log.info({ collection: id }, isNew ? "a collection was created" : "a collection was changed");
    const row = await requireCollection(context, id);
    reply.code(isNew ? 201 : 200).header("etag", collectionTag(row));
    if (isNew) reply.header("location", `${context.basePath}/collections/${id}`);
    return viewCollection(context, request, row);
  },
});

/** @returns whether it is new. @throws Problem `collection_conflict`, `if_match_required`, `too_many_collections` */
async function save(trx: Trx, id: string, content: Content, request: FastifyRequest): Promise<boolean> {
  const row = await lockCollection(trx, id);
  requireExpected(request, row);
  if (row !== undefined) {
    await updateCollection(trx, row, content);
    return false;
  }
  if ((await countCollections(trx)) >= MOST_COLLECTIONS) throw new Problem("too_many_collections");
  // Another request may have created it since.
  if (!(await insertCollection(trx, id, content))) throw new Problem("collection_conflict");
  return true;
}

/** @param row undefined for a collection that does not exist */
function requireExpected({ headers }: FastifyRequest, row: CollectionRow | undefined): void {
  const stated = headers["if-match"];
  const tags = stated === undefined ? undefined : tagsOfIfMatch(stated, TAGS);
  if (row === undefined) {
    if (tags !== undefined) throw new Problem("collection_conflict", "The collection does not exist");
    return;
  }
  if (tags === undefined) throw new Problem("if_match_required", "The collection exists already");
  if (!tags.includes("*") && !tags.includes(collectionTag(row))) throw new Problem("collection_conflict");
}

/** @throws Problem `invalid_request` with all errors */
async function contentOf(context: HttpContext, sent: Static<typeof CollectionContent>): Promise<Content> {
  const { name, description = { en: "" }, curators = [], licences = [] } = sent;
  const errors: Remark[] = [];
  const add = (pointer: string, detail: string) => errors.push({ pointer, code: "wrong_value", detail });
  if (isBlank(name.en)) add("/name/en", "The English name is empty.");
  const canonical = licences.map((licence, index) => {
    const known = licenceById(licence);
    if (known === undefined) {
      add(`/licences/${index}`, "This is not an id of the SPDX licence list (https://spdx.org/licenses).");
    }
    return known ?? licence;
  });
  for (const [index, curator] of curators.entries()) {
    const { method } = context.signIn;
    if (!(await isCurator(context.db, method, curator))) add(`/curators/${index}`, UNKNOWN_CURATORS[method]);
  }
  if (errors.length > 0) throw invalid(errors, []);
  return { name, description, curators: [...new Set(curators)], licences: [...new Set(canonical)] };
}
