import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/**
 * Returns the media type that `Accept` prefers (RFC 9110, section 12.5.1). The first one is returned if several are
 * equally preferred, or if `Accept` is missing or names none of them.
 */
export function preferredOf<Type extends string>(
  request: Pick<FastifyRequest, "headers">,
  offered: readonly [Type, ...Type[]],
): Type {
  return (new Negotiator(request).mediaType([...offered]) as Type | undefined) ?? offered[0];
}

/** Like {@link preferredOf}, and adds `Vary: Accept` to the response. */
export function negotiated<Type extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  offered: readonly [Type, ...Type[]],
): Type {
  const before = reply.getHeader("vary");
  reply.header("vary", before === undefined ? "Accept" : `${before}, Accept`);
  return preferredOf(request, offered);
}
