import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, RawServerDefault } from "fastify";

/** A connection, or the answer on one. */
type Closable = EventEmitter & { readonly closed: boolean; readonly destroyed: boolean };

/** Calls a function once at the end of something; immediately if that end has passed. */
export type Closing = (run: () => void) => void;

/** The server as routes see it. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Aborted when the client disconnects before the answer is sent; already aborted if it has. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  closing(reply.raw)(() => gone.abort(new Error("The client disconnected")));
  return gone.signal;
}

/** The close of a connection or answer. After an `await` it can have closed, and `close` is emitted only once. */
export function closing(until: Closable): Closing {
  return (run) => {
    if (until.closed || until.destroyed) run();
    else until.once("close", run);
  };
}
