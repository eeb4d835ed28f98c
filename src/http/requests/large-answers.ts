import { closing, type Server } from "../fastify.ts";
import { readerOf } from "./access.ts";
import { atOnce } from "./limits.ts";

/** Maximum number of responses to one caller at once that are larger than about {@link ANSWER_BYTES}. */
const ANSWERS = 16;
const ANSWER_BYTES = 256 * 1024;
const RETRY_SECONDS = 5;

declare module "fastify" {
  interface FastifyContextConfig {
    /** A request with another method than GET or HEAD that only reads, so that it can be refused after its answer was made. */
    onlyReads?: true;
  }
}

/**
 * Counts large responses until they are sent, so that clients that read slowly do not fill the memory: too many at once are answered with
 * `rate_limited`. Streams are made while they are read, and buffers are shared by all clients.
 */
export function limitLargeAnswers(server: Server): void {
  const answers = atOnce(ANSWERS, "large responses", RETRY_SECONDS);
  server.addHook("onSend", async (request, reply, payload) => {
    if (typeof payload !== "string" || payload.length <= ANSWER_BYTES) return payload;
    const { method, routeOptions } = request;
    // What has changed something is never answered as if it had not.
    const onlyReads = method === "GET" || method === "HEAD" || routeOptions.config.onlyReads === true;
    if (onlyReads) answers(closing(reply.raw), readerOf(request));
    return payload;
  });
}
