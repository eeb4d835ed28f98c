import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { LONGEST_REASON } from "../../../../packages/rules/src/index.ts";
import {
  findRevision,
  type RevisionDocuments,
  revisionDocuments,
  revisionsOf,
} from "../../../db/datasets/revisions.ts";
import { findPublication } from "../../../db/publication/publications.ts";
import { Metadata } from "../../../describe/metadata/schema.ts";
import { Problem, type Remark } from "../../../domain/problems.ts";
import { readMetadataChange } from "../../../intake/request.ts";
import { type MetadataState, reviseMetadata } from "../../../intake/revise-metadata.ts";
import { untilRevisionEnds } from "../../../intake/revision-end.ts";
import { embargoWarnings } from "../../../publication/rules/stated-embargo.ts";
import type { HttpContext } from "../../context.ts";
import { fieldRulesOf } from "../../dataset/field-rules.ts";
import { requireVersion, type Version, VersionQuery } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/examples.ts";
import { metadataTag } from "../../openapi/headers.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { tagsOfIfMatch } from "../../requests/preconditions.ts";
import { unchecked } from "../../requests/validation.ts";
import { readDocuments } from "../../responses/submissions.ts";
import { DatasetParams, MetadataRevision, MetadataView, optionalInteger, optionalText } from "../../schemas.ts";

const MetadataChange = Type.Object(
  {
    metadata: Metadata,
    note: optionalText({
      maxLength: LONGEST_REASON,
      description: "Reason for the change.",
      examples: ["Corrected a name"],
    }),
  },
  {
    title: "MetadataChange",
    additionalProperties: false,
    description: "New metadata of a dataset. They replace all metadata.",
  },
);

const RevisionQuery = {
  ...VersionQuery,
  revision: optionalInteger({
    minimum: 1,
    maximum: 1_000_000,
    description: "Number of the metadata revision. Default: the latest revision.",
    examples: [1],
  }),
};

type MetadataAnswer = Static<typeof MetadataRevision> & { metadata: unknown; normalized: unknown; warnings: Remark[] };

/** Returns the metadata of a version, or of one of its metadata revisions. */
export const datasetMetadata = operation({
  route: "GET /dataset/:id/metadata",
  operationId: "getMetadata",
  summary: "Retrieve the metadata of a dataset",
  description: "`ETag` identifies the state of the metadata. A change must name it in `If-Match`.",
  tag: "Datasets",
  problems: ["dataset_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object(RevisionQuery),
  response: {
    200: documented(MetadataView, {
      description: "The metadata.",
      headers: { ETag: metadataTag },
      example: examples.metadataView,
    }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    const { revision } = request.query;
    return sendMetadata(reply, await viewMetadata(context, version, revision));
  },
});

/** Replaces the metadata of the latest version, which becomes a metadata revision. */
export const datasetMetadataChange = operation({
  route: "PUT /dataset/:id/metadata",
  operationId: "changeMetadata",
  summary: "Change the metadata of a dataset",
  description:
    "Replaces the metadata of the latest version, without changing its files. For the owner, curators and admins. Earlier versions keep their metadata, because a revision is the newest state of the archived object. The archive keeps all earlier metadata. `If-Match` must have the `ETag` of the metadata that the caller has seen, so that no change of another user is overwritten. Repeating the request has no effect: if the metadata are the current ones, nothing changes, and the note is not recorded.",
  tag: "Datasets",
  problems: [
    "dataset_withdrawn",
    "dataset_busy",
    "archive_newer",
    "metadata_conflict",
    "change_replaced",
    "if_match_required",
    "approved_metadata",
    "revision_limit",
    "quota_exceeded",
    "no_space",
  ],
  options: unchecked,
  params: DatasetParams,
  headers: Type.Object({
    "if-match": optionalText({ description: "`ETag` of the current metadata.", examples: ['"1.1"'] }),
  }),
  body: withExample(MetadataChange, examples.metadataChange),
  response: {
    200: documented(MetadataView, {
      description: "The metadata are changed and archived.",
      headers: { ETag: metadataTag },
      example: { ...examples.metadataView, revision: 2 },
    }),
    202: documented(MetadataView, {
      description: "The change is recorded and not archived yet. Until then the response has the earlier metadata.",
      headers: { ETag: metadataTag },
      example: examples.metadataView,
    }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    const { dataset } = version;
    const { documents: sent, note } = readMetadataChange(request.body, await fieldRulesOf(context, version));
    const publication = await findPublication(context.db, dataset.id, version.number);
    const documents = { ...sent, warnings: [...sent.warnings, ...embargoWarnings(publication, sent.metadata)] };
    const expected = expectation(request);
    const by = callerOf(request).owner;
    const change = { dataset: dataset.id, by, note, documents, expected };
    const revision = await reviseMetadata(context.intake, change);
    const isArchived = revision === undefined || (await archived(context, dataset.id, revision));
    const now = await requireVersion(context, request);
    // The dataset is not withdrawn, so that its author has replaced the change.
    if (isArchived === false) throw new Problem("change_replaced");
    const view = await viewMetadata(context, now);
    return sendMetadata(reply.code(isArchived ? 200 : 202), view);
  },
});

/** Lists the metadata revisions of a dataset, newest first. */
export const datasetRevisions = operation({
  route: "GET /dataset/:id/revisions",
  operationId: "listRevisions",
  summary: "List the metadata revisions of a version",
  description: "Newest first. Revision 1 has the metadata of the submission.",
  tag: "Datasets",
  problems: ["dataset_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  response: {
    200: documented(Type.Array(MetadataRevision), {
      description: "The revisions.",
      example: [examples.metadataRevision],
    }),
  },
  handler: async (context, request) => {
    const version = await requireVersion(context, request);
    const later = await revisionsOf(context.db, version.dataset.id, version.number);
    return [...later.map((row) => viewRevision(row)), firstRevision(version)];
  },
});

/** Whether the revision is archived within the time that a request waits; false if it was given up, undefined if neither. */
async function archived({ db, intake }: HttpContext, dataset: string, id: string): Promise<boolean | undefined> {
  return untilRevisionEnds(intake, dataset, async () => {
    const row = await findRevision(db, id);
    return row?.finished_at == null ? undefined : row.published_at !== null;
  });
}

const TAGS = { pattern: /^"\d+\.\d+"$/, example: '"1.1"', of: "the metadata" };

/** Compares the state with `If-Match`. @throws Problem `if_match_required`, `bad_request` */
function expectation({ headers }: FastifyRequest): (state: MetadataState) => boolean {
  const stated = headers["if-match"];
  if (stated === undefined) throw new Problem("if_match_required");
  const tags = tagsOfIfMatch(stated, TAGS);
  return (state) => tags.includes("*") || tags.includes(tagOf(state));
}

function tagOf({ version, revision }: MetadataState): string {
  return `"${version}.${revision}"`;
}

function sendMetadata(reply: FastifyReply, view: MetadataAnswer): MetadataAnswer {
  reply.header("etag", tagOf(view));
  return view;
}

async function viewMetadata(context: HttpContext, version: Version, wanted?: number): Promise<MetadataAnswer> {
  if (wanted === 1 || (wanted === undefined && version.revision === undefined)) {
    return { ...firstRevision(version), ...viewDocuments(await readDocuments(context, version.submission.id)) };
  }
  const rows = await revisionsOf(context.db, version.dataset.id, version.number);
  const row = rows.find(({ revision }) => revision === (wanted ?? version.revision?.revision));
  if (row === undefined) {
    throw new Problem("not_found", `Version ${version.number} of the dataset has no metadata revision ${wanted}`);
  }
  return { ...viewRevision(row), ...viewDocuments(await revisionDocuments(context.db, row.id)) };
}

function viewDocuments({ sent, metadata, warnings }: RevisionDocuments) {
  return { metadata: sent, normalized: metadata, warnings };
}

function viewRevision(row: NonNullable<Version["revision"]>): Static<typeof MetadataRevision> {
  const { version, revision, changed_by: changedBy, note, published_at, created_at } = row;
  return { version, revision, changedBy, changedAt: (published_at ?? created_at).toISOString(), note };
}

function firstRevision({ number, submission, archivedAt }: Version): Static<typeof MetadataRevision> {
  return {
    version: number,
    revision: 1,
    changedBy: submission.owner,
    changedAt: archivedAt.toISOString(),
    note: "",
  };
}
