import { type Static, Type } from "typebox";
import { isUsable, type ReviewerLinkRow, reviewerLinksOf } from "../../../db/publication/reviewer-links.ts";
import { invalid } from "../../../intake/request.ts";
import { newReviewerSecret } from "../../../people/reviewer-links.ts";
import { createReviewerLink, endReviewerLink } from "../../../publication/commands/reviewer-links.ts";
import { metadataOf } from "../../dataset/export-input.ts";
import { requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/review-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { requireDataset, requirePublication } from "../../requests/require-resource.ts";
import { timeIn } from "../../responses/paging.ts";
import { type IdentifyingPlaces, identifyingPlaces } from "../../review/identifying-places.ts";
import { NewReviewerLink, ReviewerLinkView } from "../../schemas/review.ts";
import { closedObject, DatasetParams, flag, optionalText } from "../../schemas.ts";

const DAY_MS = 86_400_000;
const DEFAULT_MS = 90 * DAY_MS;
const LONGEST_MS = 366 * DAY_MS;
const NOTHING: IdentifyingPlaces = { listed: [], total: 0, leftOut: { files: 0, bytes: 0 } };

const Body = closedObject("NewReviewerLinkRequest", "The reviewer link to create.", {
  label: optionalText({ maxLength: 200, description: "Label for the owner and curators, such as the journal." }),
  anonymous: Type.Optional(flag("Whether the view excludes people and institutions. Default: true.")),
  expiresAt: optionalText({
    maxLength: 40,
    format: "date-time",
    description: "Time until which the link can be used, at most one year from now. Default: in 90 days.",
  }),
});

/** Creates a link with which reviewers read a version without an account. */
export const reviewerLinkCreate = operation({
  route: "POST /dataset/:id/reviewer-link",
  operationId: "createReviewerLink",
  summary: "Create a reviewer link",
  description:
    "Creates a link with which people without an account read one version of the dataset for a limited time, in every state of its publication except `withdrawn`. For the owner, curators and admins. For an anonymous link, `findings` names what can still tell who made the dataset.",
  tag: "Publication",
  problems: ["dataset_withdrawn", "publication_off", "too_many_reviewer_links", "archive_unreadable"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  body: withExample(Body, { label: examples.reviewerLink.label, anonymous: true }),
  response: {
    201: documented(NewReviewerLink, {
      description: "The link with its address, which is returned only once.",
      example: examples.newReviewerLink,
    }),
  },
  handler: async (context, request) => {
    const version = await requireVersion(context, request);
    requirePublication(context);
    const { label = "", anonymous = true } = request.body;
    const expiresAt = endOf(request.body.expiresAt);
    const { metadata } = await metadataOf(context, version);
    const found = anonymous ? await identifyingPlaces(context, version, metadata) : NOTHING;
    const { secret, hash } = newReviewerSecret();
    const link = await createReviewerLink(context.intake, {
      ...{ dataset: version.dataset.id, version: version.number, hash, label: label.trim(), anonymous },
      ...{ leftOut: found.leftOut, by: callerOf(request).owner, expiresAt },
    });
    request.log.info({ reviewerLink: link.id }, "a reviewer link was created");
    return {
      ...viewLink(link),
      // Browsers do not send the part after “#”, so that the secret is in no log and no Referer.
      url: `${context.publicUrl()}${context.basePath}/app/review#${secret}`,
      findings: found.listed,
      findingsTotal: found.total,
    };
  },
});

/** Lists the reviewer links of a dataset, without their secrets. */
export const reviewerLinkList = operation({
  route: "GET /dataset/:id/reviewer-link",
  operationId: "listReviewerLinks",
  summary: "List the reviewer links of a dataset",
  description:
    "Returns the links of all versions with their visits, newest first, also those that have ended. For the owner, curators and admins.",
  tag: "Publication",
  problems: ["dataset_withdrawn", "publication_off"],
  params: DatasetParams,
  response: {
    200: documented(Type.Array(ReviewerLinkView), { description: "The links.", example: [examples.reviewerLink] }),
  },
  handler: async (context, request) => {
    const dataset = await requireDataset(context, request);
    requirePublication(context);
    return (await reviewerLinksOf(context.db, dataset.id)).map(viewLink);
  },
});

/** Revokes a reviewer link. It and all downloads with it end at once. */
export const reviewerLinkRevoke = operation({
  route: "DELETE /dataset/:id/reviewer-link/:link",
  operationId: "revokeReviewerLink",
  summary: "Revoke a reviewer link",
  description: "The link and all downloads with it end at once. Repeating the request has no effect.",
  tag: "Publication",
  problems: ["dataset_withdrawn", "publication_off"],
  params: Type.Object({
    ...DatasetParams.properties,
    link: Type.String({ description: "Id of the link, not its secret.", examples: [examples.REVIEWER_LINK] }),
  }),
  response: { 204: Type.Null({ description: "The link is revoked." }) },
  handler: async (context, request) => {
    const dataset = await requireDataset(context, request);
    requirePublication(context);
    const { link } = request.params;
    await endReviewerLink(context.intake, dataset.id, link, callerOf(request).owner);
    request.log.info("a reviewer link was revoked");
    return null;
  },
});

function endOf(text: string | undefined): Date {
  const now = Date.now();
  const end = text === undefined ? new Date(now + DEFAULT_MS) : timeIn(text);
  const left = end === undefined ? 0 : end.getTime() - now;
  if (end !== undefined && left > 0 && left <= LONGEST_MS) return end;
  const detail = "A time in the future, at most one year from now, is required.";
  throw invalid([{ pointer: "/expiresAt", code: "wrong_value", detail }], []);
}

function viewLink(link: ReviewerLinkRow): Static<typeof ReviewerLinkView> {
  const isRevoked = link.revoked_at !== null;
  return {
    id: link.id,
    version: link.version,
    label: link.label,
    anonymous: link.anonymous,
    state: isUsable(link, new Date()) ? "usable" : isRevoked ? "revoked" : "expired",
    createdBy: link.created_by,
    createdAt: link.created_at.toISOString(),
    expiresAt: link.expires_at.toISOString(),
    revokedAt: link.revoked_at?.toISOString() ?? null,
    revokedBy: link.revoked_by,
    visits: link.visits,
    lastVisitAt: link.last_visit_at?.toISOString() ?? null,
    filesLeftOut: link.files_left_out,
  };
}
