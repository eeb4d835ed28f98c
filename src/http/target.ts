import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "./access.ts";
import type { HttpContext } from "./context.ts";

/** To be asked before the service calls an endpoint that the caller names. @throws Problem `rate_limited` */
export async function callAt(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: string,
): Promise<void> {
  await context.limits.target(request, reply, callerOf(request).owner, endpoint);
}
