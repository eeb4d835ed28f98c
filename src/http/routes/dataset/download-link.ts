import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import { addDownloadLink, type DownloadLink as DownloadLinkRow } from "../../../db/datasets/downloads.ts";
import { PACKAGE_FORMATS, type PackageFormatName } from "../../../describe/formats/formats.ts";
import { invalid } from "../../../intake/request.ts";
import { hashOf } from "../../../people/tokens.ts";
import type { HttpContext } from "../../context.ts";
import { requireFiles, requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { requirePath } from "../../dataset/send-path.ts";
import { FILE_PROBLEMS } from "../../openapi/codes.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { closedObject, DatasetParams, object, optionalText, text, time } from "../../schemas.ts";

/** Long enough to start a download, but too short to share the link. */
const VALID_MS = 60_000;
const FORMATS = Object.keys(PACKAGE_FORMATS) as PackageFormatName[];

export const DownloadLink = object("DownloadLink", "A link for one download.", {
  url: text("Path of the download. It works once."),
  expiresAt: time("Time by which the download must start."),
});

/** Creates a link with which a browser downloads a file or a package without a token. */
export const datasetDownloadLink = operation({
  route: "POST /dataset/:id/download-link",
  operationId: "createDownloadLink",
  summary: "Create a download link",
  description:
    "For web pages: a browser saves large files from an address only, and addresses must not contain tokens. The link works once, within one minute, while the token or the grant of the caller is valid. It grants access to the requested file, folder or package with the permissions of the caller.",
  tag: "Datasets",
  problems: FILE_PROBLEMS,
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  body: withExample(
    closedObject("DownloadLinkRequest", "The content of the download: either a `path` or a `format`.", {
      path: optionalText({ minLength: 1, maxLength: 4_096, description: "Path of a file or folder, not encoded." }),
      format: Type.Optional(Type.Enum(FORMATS, { description: "Format of a package of the whole dataset." })),
    }),
    { path: "data/measurements/plot-01.csv" },
  ),
  response: {
    201: documented(DownloadLink, {
      description: "The download link.",
      example: { url: `/download/${"x".repeat(43)}`, expiresAt: "2026-06-01T08:01:00.000Z" },
    }),
  },
  handler: async (context, request) => {
    const version = await requireVersion(context, request);
    requireFiles(version);
    const { path = null, format = null } = request.body;
    if ((path === null) === (format === null)) {
      throw invalid([{ pointer: "/path", code: "wrong_value", detail: "Either a path or a format is needed." }], []);
    }
    if (path !== null) await requirePath(context, version, path);
    const { owner = null, roles = [], token = null, until } = request.caller ?? {};
    const stored = await storeDownload(context, until, {
      ...{ owner, roles: [...roles], token_id: token, reviewer_link_id: null },
      ...{ dataset_id: version.dataset.id, version: version.number, path, format },
      grant_id: version.reader.grant?.id ?? null,
    });
    return stored;
  },
});

/** Stores a download that a link without credentials starts once, within a minute and before `until`. */
export async function storeDownload(
  { db, basePath }: HttpContext,
  until: Date | undefined,
  download: Omit<DownloadLinkRow, "hash" | "expires_at">,
): Promise<Static<typeof DownloadLink>> {
  const ticket = randomBytes(32).toString("base64url");
  const inTime = Date.now() + VALID_MS;
  const expiresAt = new Date(Math.min(inTime, until?.getTime() ?? inTime));
  await addDownloadLink(db, { ...download, hash: hashOf(ticket), expires_at: expiresAt });
  return { url: `${basePath}/download/${ticket}`, expiresAt: expiresAt.toISOString() };
}
