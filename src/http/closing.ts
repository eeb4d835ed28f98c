import type { EventEmitter } from "node:events";

/** A connection, or the answer on one. */
type Closable = EventEmitter & { readonly closed: boolean; readonly destroyed: boolean };

/** Calls a function once at the end of something; immediately if that end has passed. */
export type Closing = (run: () => void) => void;

/** The close of a connection or answer. After an `await` it can have closed, and `close` is emitted only once. */
export function closing(until: Closable): Closing {
  return (run) => {
    if (until.closed || until.destroyed) run();
    else until.once("close", run);
  };
}
