import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Server } from "./fastify.ts";

/** Maximum time for which the rest of a rejected body is read and discarded after the response, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Closes the connection after the response, without losing the response. If a socket is closed while bytes of the request
 * are unread, the connection is reset, and the client can lose the response (RFC 9112, section 9.6). Therefore only the
 * sending side is closed. Further bytes are discarded until the client closes its side, for at most {@link LINGER_MS}.
 */
export function closeAfterAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("connection", "close");
  const socket = request.raw.socket as Socket | null;
  // The client has disconnected while its body was read.
  if (socket === null) return;
  // Node.js calls this after the response is written. Its own implementation closes both sides.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.end();
    // A reader that waits for more keeps the body from flowing.
    request.raw.removeAllListeners("readable");
    request.raw.resume();
  };
}

/** Ignores requests that follow a response with `Connection: close` (RFC 9112, section 9.6). */
export function ignoreFollowing(server: Server): void {
  server.addHook("onRequest", async (request, reply) => {
    if (!request.raw.socket.writableEnded) return;
    reply.hijack();
    request.raw.socket.destroy();
  });
}
