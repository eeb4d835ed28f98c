import type { FastifyReply, FastifyRequest } from "fastify";
import { maySee } from "../../auth/caller.ts";
import { hasToken } from "../../db/tokens.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { goneSignal } from "../fastify.ts";
import { callerOf } from "../requests/access.ts";

/** A revocation without a notification is detected within this time. */
const RECHECK_MS = 5_000;
/** Milliseconds for an answer to end properly before its connection is closed. */
const GRACE_MS = 1_000;

/**
 * Ends an event stream when its caller may no longer read it: the token was revoked or has expired, or the caller's
 * rights ended. A caller can open another stream with a new token, so an expired token ends the stream too.
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
  return endOnAccessLoss(context, request, reply, async () => {
    const caller = await context.authenticate(request.headers.authorization);
    return caller.owner === callerOf(request).owner && maySee(caller, owner);
  });
}

/**
 * Ends a download when its token is revoked. An expired token does not end it: large downloads take longer than the
 * tokens of many identity providers are valid. Identity providers do not report revocations.
 */
export function closeDownloadOnRevocation(context: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  const { token } = callerOf(request);
  if (token !== undefined) endOnAccessLoss(context, request, reply, () => hasToken(context.db, token));
}

/** Ends the answer on access loss: rechecks at once when any process revokes the token, and regularly. */
function endOnAccessLoss(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  hasAccess: () => Promise<boolean>,
): AbortSignal {
  const gone = goneSignal(reply);
  if (gone.aborted) return gone;
  const { token } = callerOf(request);
  const ended = new AbortController();
  const recheck = async () => {
    if (ended.signal.aborted || (await hasAccess().catch(isTemporary))) return;
    ended.abort(new Error("The caller may not have the rest of this answer"));
    request.log.info("an answer was ended because its caller lost access");
    setTimeout(() => reply.raw.destroy(), GRACE_MS).unref();
  };
  const timer = setInterval(recheck, RECHECK_MS).unref();
  const unsubscribe = context.notifications.listen("token", (revoked) => {
    if (revoked === token) void recheck();
  });
  gone.addEventListener("abort", () => {
    clearInterval(timer);
    unsubscribe();
  });
  return ended.signal;
}

/** Whether the service cannot tell now if the caller has access. Then the answer continues until the next recheck. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof Problem && error.status < 500);
}
