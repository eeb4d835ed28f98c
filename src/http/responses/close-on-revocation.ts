import type { FastifyReply, FastifyRequest } from "fastify";
import { type GrantRow, isGranted } from "../../db/publication/access-grants.ts";
import { findReviewerLink, isUsable } from "../../db/publication/reviewer-links.ts";
import { hasToken } from "../../db/tokens.ts";
import { maySee } from "../../people/caller.ts";
import type { HttpContext } from "../context.ts";
import { goneSignal } from "../fastify.ts";
import { callerOf } from "../requests/access.ts";
import type { AccessCheck } from "./access-rechecks.ts";

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
  context: Pick<HttpContext, "access" | "authenticate">,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: string,
): AbortSignal {
  const { token, owner: reader } = callerOf(request);
  const { authorization } = request.headers;
  const hasAccess = async () => {
    const caller = await context.authenticate(authorization);
    return caller.owner === reader && maySee(caller, owner);
  };
  return endOnAccessLoss(context, request, reply, { id: token, key: `${authorization} ${owner}`, hasAccess });
}

/**
 * Ends a download when its token, or the grant that opened the files, is revoked. Their expiry does not end it: large
 * downloads take longer than the tokens of many identity providers are valid. Identity providers do not report revocations.
 * A reviewer link ends its downloads when it is revoked or expires.
 */
export function closeDownloadOnRevocation(
  context: Pick<HttpContext, "access" | "db">,
  request: FastifyRequest,
  reply: FastifyReply,
  grant?: GrantRow,
): void {
  const { db } = context;
  const endUnless = (id: string | undefined, hasAccess: (id: string) => Promise<boolean>) => {
    if (id !== undefined) endOnAccessLoss(context, request, reply, { id, key: id, hasAccess: () => hasAccess(id) });
  };
  endUnless(request.caller?.token, (token) => hasToken(db, token));
  endUnless(grant?.id, (id) => isGranted(db, id));
  endUnless(request.reviewerLink?.id, async (id) => {
    const found = await findReviewerLink(db, id);
    return found !== undefined && isUsable(found, new Date());
  });
}

/** Ends the response on access loss. */
function endOnAccessLoss(
  { access }: Pick<HttpContext, "access">,
  request: FastifyRequest,
  reply: FastifyReply,
  check: AccessCheck,
): AbortSignal {
  const gone = goneSignal(reply);
  if (gone.aborted) return gone;
  const ended = new AbortController();
  const forget = access.recheck(check, () => {
    ended.abort(new Error("The caller has lost access"));
    request.log.info("a response was ended because its caller lost access");
    setTimeout(() => reply.raw.destroy(), GRACE_MS).unref();
  });
  gone.addEventListener("abort", forget);
  return ended.signal;
}
