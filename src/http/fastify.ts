import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, RawServerDefault } from "fastify";

/** A connection or a response. */
type Closable = EventEmitter & { readonly closed: boolean; readonly destroyed: boolean };

/** Calls a function once when a connection or response has closed; immediately if it is already closed. */
export type Closing = (run: () => void) => void;

/** The server as routes see it. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Returns a signal that is aborted if the client disconnects before the response is sent. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  closing(reply.raw)(() => gone.abort(new Error("The client disconnected")));
  return gone.signal;
}

/**
 * The closing of a connection or response. A listener for `close` alone is not enough: the event is emitted only once, and
 * that can happen during an `await`.
 */
export function closing(until: Closable): Closing {
  return (run) => {
    if (until.closed || until.destroyed) run();
    else until.once("close", run);
  };
}
