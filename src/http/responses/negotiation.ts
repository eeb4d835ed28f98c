import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/**
 * Which of these media types a caller wants most (RFC 9110, section 12.5.1); of equal ones, and where `Accept` says nothing or
 * names none of them, the first.
 */
export function preferredOf<Type extends string>(
  request: Pick<FastifyRequest, "headers">,
  offered: readonly [Type, ...Type[]],
): Type {
  return (new Negotiator(request).mediaType([...offered]) as Type | undefined) ?? offered[0];
}

/** The same, and the answer says that it would be another one for another `Accept`. */
export function negotiated<Type extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  offered: readonly [Type, ...Type[]],
): Type {
  const before = reply.getHeader("vary");
  reply.header("vary", before === undefined ? "Accept" : `${before}, Accept`);
  return preferredOf(request, offered);
}
