import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type DownloadLink, takeDownloadLink } from "../../db/datasets/downloads.ts";
import { findGrant } from "../../db/publication/access-grants.ts";
import { findReviewerLink } from "../../db/publication/reviewer-links.ts";
import type { PackageFormatName } from "../../describe/formats/formats.ts";
import { Problem } from "../../domain/problems.ts";
import type { Caller } from "../../people/caller.ts";
import { requireUsable } from "../../people/reviewer-links.ts";
import type { Role } from "../../people/route-permissions.ts";
import { hashOf } from "../../people/tokens.ts";
import type { HttpContext } from "../context.ts";
import { requireFiles, requireVersion } from "../dataset/readable-version.ts";
import { requirePath, sendFound, sendWhole } from "../dataset/send-path.ts";
import { FILE_PROBLEMS } from "../openapi/codes.ts";
import { contentDisposition, links, ofFiles } from "../openapi/headers.ts";
import { documented, operation } from "../operation.ts";
import { requireReviewed } from "../review/reviewed.ts";
import { sendReviewedFile, sendReviewedZip } from "../review/send-reviewed.ts";

const GONE = "This link was used, has expired or never existed";

/** Sends the content of a download link, once. */
export const download = operation({
  route: "GET /download/:ticket",
  operationId: "downloadOnce",
  summary: "Download with a link",
  description:
    "Returns the content of a download link, once, within a minute after its creation. No authentication is needed: the link acts with the permissions of the caller who created it.",
  tag: "Datasets",
  problems: [
    ...FILE_PROBLEMS,
    "reviewer_link_expired",
    "reviewer_link_revoked",
    "reviewed_withdrawn",
    "publication_off",
  ],
  config: { anyQuery: true },
  // A HEAD request would use up the link.
  options: { exposeHeadRoute: false },
  params: Type.Object({
    // Without a pattern, so that a malformed ticket gets the same answer as a used one.
    ticket: Type.String({ description: "Ticket from the link.", examples: ["x".repeat(43)] }),
  }),
  response: {
    200: documented(Type.String(), {
      description: "The file, the folder or the package.",
      headers: { ...ofFiles, "Content-Disposition": contentDisposition, Link: links },
      bytes: ["*/*", "application/zip"],
    }),
  },
  handler: async (context, request, reply) => {
    const link = await takeDownloadLink(context.db, hashOf(request.params.ticket));
    if (link === undefined) throw new Problem("not_found", GONE);
    if (link.reviewer_link_id !== null) return sendToReviewer(context, request, reply, link);
    // The request acts as the reader who created the link, and their access to the files is checked again.
    request.caller = callerOfLink(link);
    request.grant = link.grant_id === null ? null : ((await findGrant(context.db, link.grant_id)) ?? null);
    const version = await requireVersion(context, request, { id: link.dataset_id, version: link.version });
    requireFiles(version);
    if (link.format !== null) {
      return sendWhole(context, request, reply, version, link.format as PackageFormatName);
    }
    // Ranges are ignored, because an interrupted download cannot be resumed with a used link.
    delete request.headers.range;
    const found = await requirePath(context, version, link.path ?? undefined);
    return sendFound(context, request, reply, version, found);
  },
});

/** The caller who created the link; null for a reader without a token. */
function callerOfLink({ owner, roles, token_id }: DownloadLink): Caller | null {
  if (owner === null) return null;
  return { owner, roles: roles as Role[], ...(token_id !== null && { token: token_id }) };
}

/** Sends a download that a reviewer started, if the reviewer link can still be used. */
async function sendToReviewer(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { reviewer_link_id: id, path }: DownloadLink,
): Promise<FastifyReply> {
  const link = await findReviewerLink(context.db, id ?? "");
  if (link === undefined) throw new Problem("not_found", GONE);
  requireUsable(link);
  request.reviewerLink = link;
  const reviewed = await requireReviewed(context, request);
  delete request.headers.range;
  if (path === null) return sendReviewedZip(context, request, reply, reviewed);
  return sendReviewedFile(context, request, reply, reviewed, path);
}
