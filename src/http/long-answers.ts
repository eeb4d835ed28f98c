import type { FastifyReply, FastifyRequest } from "fastify";
import { maySee } from "../auth/caller.ts";
import { hasToken } from "../db/tokens.ts";
import { Problem } from "../submission/problems.ts";
import { callerOf } from "./access.ts";
import type { HttpContext } from "./context.ts";

/** A revocation that no notification told of is seen after this time. */
const LOOK_MS = 5_000;
/** Time that an answer has to end in order before its connection is closed. */
const GRACE_MS = 1_000;

/**
 * Ends an event stream when its caller may no longer read it: the token was revoked or has expired, or the caller's
 * rights ended. A caller can open another stream with a new token, so an expired one is no reason to go on.
 *
 * @param owner of what is streamed
 * @returns aborted then; the connection is closed a moment later
 */
export function endStreamWithAccess(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: string,
): AbortSignal {
  return endWithout(context, request, reply, async () => {
    const caller = await context.authenticate(request.headers.authorization);
    return caller.owner === callerOf(request).owner && maySee(caller, owner);
  });
}

/**
 * Ends a download when the token that it was begun with is revoked. An expired token does not end it: large downloads
 * take longer than the tokens of many identity providers are valid, and a provider does not tell of revocations.
 */
export function endDownloadWithAccess(context: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  const { token } = callerOf(request);
  if (token !== undefined) endWithout(context, request, reply, () => hasToken(context.db, token));
}

/** Looks whether the caller may still have the answer: at once when a token is revoked in any process, and regularly. */
function endWithout(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  mayGoOn: () => Promise<boolean>,
): AbortSignal {
  const { token } = callerOf(request);
  const ended = new AbortController();
  const look = async () => {
    if (ended.signal.aborted || (await mayGoOn().catch(isTemporary))) return;
    ended.abort(new Error("The caller may not have the rest of this answer"));
    request.log.info("an answer was ended because its caller lost access");
    setTimeout(() => reply.raw.destroy(), GRACE_MS).unref();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  const silence = context.bell.on("token", (revoked) => {
    if (revoked === token) void look();
  });
  reply.raw.once("close", () => {
    clearInterval(timer);
    silence();
  });
  return ended.signal;
}

/** Whether it cannot be known now whether a caller may go on: then the answer goes on, and the next look decides. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof Problem && error.status < 500);
}
