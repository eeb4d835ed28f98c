import type { FastifyReply, FastifyRequest } from "fastify";
import { maySee } from "../../auth/caller.ts";
import { type GrantRow, isGranted } from "../../db/publication/access-grants.ts";
import { findReviewerLink, isUsable } from "../../db/publication/reviewer-links.ts";
import { hasToken } from "../../db/tokens.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { goneSignal } from "../fastify.ts";
import { callerOf } from "../requests/access.ts";

/** A revocation without a notification is detected within this time. */
const RECHECK_MS = 5_000;
/** Milliseconds for a response to end properly before its connection is closed. */
const GRACE_MS = 1_000;

/**
 * Ends an event stream when its caller loses access: the token was revoked or has expired, or a permission was withdrawn.
 * Clients can open another stream with a new token, so an expired token ends the stream too.
 *
 * @param owner of the streamed submission
 * @returns aborted on access loss, and the connection is closed a moment later; already aborted if the client has
 * disconnected
 */
export function closeStreamOnRevocation(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: string,
): AbortSignal {
  return endOnAccessLoss(context, request, reply, callerOf(request).token, async () => {
    const caller = await context.authenticate(request.headers.authorization);
    return caller.owner === callerOf(request).owner && maySee(caller, owner);
  });
}

/**
 * Ends a download when its token, or the grant that opened the files, is revoked. Their expiry does not end it: large
 * downloads take longer than the tokens of many identity providers are valid. Identity providers do not report revocations.
 * A reviewer link ends its downloads when it is revoked or expires.
 */
export function closeDownloadOnRevocation(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  grant?: GrantRow,
): void {
  const token = request.caller?.token;
  if (token !== undefined) endOnAccessLoss(context, request, reply, token, () => hasToken(context.db, token));
  if (grant !== undefined) endOnAccessLoss(context, request, reply, grant.id, () => isGranted(context.db, grant.id));
  const link = request.reviewerLink?.id;
  if (link === undefined) return;
  endOnAccessLoss(context, request, reply, link, async () => {
    const found = await findReviewerLink(context.db, link);
    return found !== undefined && isUsable(found, new Date());
  });
}

/**
 * Ends the response on access loss. Rechecks at regular intervals, and at once when any process revokes the token, the grant or
 * the reviewer link with this id.
 * @param id undefined if the service does not know its end
 */
function endOnAccessLoss(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string | undefined,
  hasAccess: () => Promise<boolean>,
): AbortSignal {
  const gone = goneSignal(reply);
  if (gone.aborted) return gone;
  const ended = new AbortController();
  const recheck = async () => {
    if (ended.signal.aborted || (await hasAccess().catch(isTemporary))) return;
    ended.abort(new Error("The caller has lost access"));
    request.log.info("a response was ended because its caller lost access");
    setTimeout(() => reply.raw.destroy(), GRACE_MS).unref();
  };
  const timer = setInterval(recheck, RECHECK_MS).unref();
  const unsubscribe = context.notifications.listen("token", (revoked) => {
    if (revoked === id) void recheck();
  });
  gone.addEventListener("abort", () => {
    clearInterval(timer);
    unsubscribe();
  });
  return ended.signal;
}

/** Whether the check failed for a temporary reason. Then the response continues until the next check. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof Problem && error.status < 500);
}
