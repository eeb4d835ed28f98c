import type { FastifyReply, FastifyRequest } from "fastify";
import type { Server } from "./fastify.ts";

/** How long the rest of an unwanted body is read and discarded after the answer, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Closes the connection once the answer has reached the client. A socket that is closed while bytes of the request are
 * unread is reset, and the reset deletes the answer on its way (RFC 9112, section 9.6). Therefore only the sending
 * side is closed, and what still arrives is discarded until the client closes its side, for {@link LINGER_MS} at most.
 */
export function closeAfterAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("connection", "close");
  const { socket } = request.raw;
  // Node.js calls this once the answer is written, and would close both sides.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.end();
    request.raw.resume();
  };
}

/** Processes no request that follows an answer with `Connection: close` (RFC 9112, section 9.6). */
export function ignoreFollowing(server: Server): void {
  server.addHook("onRequest", async (request, reply) => {
    if (!request.raw.socket.writableEnded) return;
    reply.hijack();
    request.raw.socket.destroy();
  });
}
