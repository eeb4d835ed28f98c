import { type Static, Type } from "typebox";
import { type AuditFinding, type AuditRow, lastAudit } from "../../../db/datasets/audits.ts";
import { type VersionRow, versionsOf } from "../../../db/datasets/datasets.ts";
import { publicationsOf } from "../../../db/publication/publications.ts";
import { contentTypeOf } from "../../../describe/formats/formats.ts";
import { DatasetDetails, detailsOf, publicationForDetails } from "../../dataset/details.ts";
import { describe, exportInputOf } from "../../dataset/export-input.ts";
import { formatAskedFor } from "../../dataset/page-redirect.ts";
import { requireVersion, type Version, VersionQuery } from "../../dataset/readable-version.ts";
import { linkHeader, signpostingLinks } from "../../dataset/signposting/header.ts";
import { isIntactFor } from "../../dataset/visible-audit.ts";
import { descriptionMedia } from "../../openapi/descriptions.ts";
import * as examples from "../../openapi/examples.ts";
import { links, page } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { identifierOf } from "../../responses/identifier.ts";
import { asWritten, sendText } from "../../responses/send-text.ts";
import { viewVersion } from "../../responses/views.ts";
import { FilesQuery, LanguageQuery } from "../../schemas/page-parts.ts";
import {
  AuditView,
  DatasetParams,
  identifierMembers,
  list,
  object,
  optionalFlag,
  text,
  time,
  uuid,
  VersionView,
} from "../../schemas.ts";
import { sendLandingPage } from "../../site/landing.ts";
import { countUse } from "../../usage/observe-uses.ts";

const DatasetView = object("Dataset", "An archived dataset.", {
  id: uuid("Id of the dataset."),
  ...identifierMembers("the requested version"),
  title: text("Title of the requested version."),
  version: Type.Integer({ description: "Number of the requested version, which is the latest by default." }),
  createdAt: time("Time at which the first version was archived; for the public, the first one that it sees."),
  versions: list(VersionView, "Versions of the dataset, newest first."),
  audit: Type.Union([AuditView, Type.Null()], { description: "Result of the last audit; null before the first." }),
  view: Type.Union([Type.Literal("full"), Type.Literal("public")], {
    description:
      "What the caller sees: `full` for the owner, curators and admins; `public` for other callers, who see published versions and neither submissions, receipts nor metadata revisions.",
  }),
  details: Type.Optional(DatasetDetails),
});

/** Returns a dataset and its versions, or the metadata of a version in the format that `Accept` names. */
export const datasetGet = operation({
  route: "GET /dataset/:id",
  operationId: "getDataset",
  summary: "Retrieve a dataset",
  description:
    "If `Accept` names a media type of a metadata format of `/dataset/{id}/export/{format}`, the response has that format. Otherwise it is JSON. Browsers get the landing page of a published dataset as HTML. For other datasets, a request that prefers HTML is redirected to the web page if it has a token or the service has no sign-in; otherwise the response is 404. `Link` contains the FAIR Signposting relations.",
  tag: "Datasets",
  problems: ["dataset_withdrawn", "publication_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object({
    ...VersionQuery,
    ...LanguageQuery,
    details: optionalFlag({
      description: "Whether the response has `details` of the version. Default: false.",
      examples: [true],
    }),
    ...FilesQuery,
  }),
  response: {
    200: documented(DatasetView, {
      description: "The dataset, or its metadata in the requested format.",
      headers: { Link: links },
      example: examples.dataset,
      ...descriptionMedia(),
    }),
    303: documented(Type.String(), {
      description: "Redirect to the web page, if `Accept` prefers `text/html` and no version was published.",
      headers: { Location: page },
    }),
  },
  handler: async (context, request, reply) => {
    if (request.landing !== null) {
      const html = await sendLandingPage(context, request, reply, request.landing);
      return reply.serializer(asWritten).send(html as never);
    }
    const version = await requireVersion(context, request);
    const isDetailed = request.query.details === true;
    const publication = isDetailed ? await publicationForDetails(context, request, version) : undefined;
    const described = await exportInputOf(context, version);
    reply.header("link", linkHeader(await signpostingLinks(context, version, described)));
    const format = formatAskedFor(request, reply);
    countUse(request, version, "investigation", format === undefined ? "page" : `metadata ${contentTypeOf(format)}`);
    if (format !== undefined) {
      return sendText(reply, contentTypeOf(format), await describe(context, version, format));
    }
    const { dataset, reader } = version;
    const isPublic = reader.versions !== undefined;
    const rows = await versionsOf(context.db, dataset.id);
    const publications = await publicationsOf(context.db, dataset.id);
    const visible = rows.filter((row) => reader.versions?.has(row.version) ?? true);
    return {
      id: dataset.id,
      ...identifierOf(
        dataset.id,
        publications.find((one) => one.version === version.number),
      ),
      title: version.title,
      version: version.number,
      createdAt: ((isPublic ? visible.at(-1)?.published_at : undefined) ?? dataset.created_at).toISOString(),
      versions: visible.map((row) => viewVersion(row, publications, isPublic)),
      audit: viewAudit(await lastAudit(context.db, dataset.id), version, rows),
      view: isPublic ? ("public" as const) : ("full" as const),
      ...(publication && { details: await detailsOf(context, request, version, { publication, described }) }),
    };
  },
});

/** The result of the last audit. Readers who do not see all versions learn the result for those that they see. */
function viewAudit(
  row: AuditRow | undefined,
  { reader, objects, bytes: size }: Version,
  archived: readonly VersionRow[],
): Static<typeof AuditView> | null {
  if (row === undefined || row.at === null) return null;
  const { at, ok, files, bytes, findings } = row;
  if (reader.versions !== undefined) {
    const isIntact = isIntactFor(row, archived, reader.versions);
    return { at: at.toISOString(), ok: isIntact, files: objects, bytes: size, findings: [] };
  }
  return { at: at.toISOString(), ok: ok === true, files, bytes, findings: findings as AuditFinding[] };
}
