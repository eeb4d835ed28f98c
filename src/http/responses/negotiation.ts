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
  varyBy(reply, "Accept");
  return preferredOf(request, offered);
}

/** Adds names to the `Vary` header of a response, each once (RFC 9110, section 12.5.5). */
export function varyBy(reply: FastifyReply, ...names: string[]): void {
  const before = [reply.getHeader("vary") ?? []]
    .flat()
    .join(", ")
    .split(/, */)
    .filter((name) => name !== "");
  reply.header("vary", [...new Set([...before, ...names])].join(", "));
}
