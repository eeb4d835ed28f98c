import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { dripping } from "./errors.ts";
import { bodyBegins, bodyEnds } from "./shared-buffer.ts";
import type { StallDetector, WatchedReply } from "./stall-detector.ts";

const watched = new WeakMap<AbortSignal, Set<() => void>>();

/** The head of a reply. Header names are lower case; of a repeated header the last value counts. */
export interface ReplyHead {
  status: number;
  headers: Record<string, string>;
}

/** Takes a reply as it comes. What it throws ends the request and is what {@link exchange} rejects with. */
export interface Taker {
  begin(head: ReplyHead): void;
  /** Bytes in order. They are valid during the call alone: whoever keeps them copies them. */
  take(chunk: Buffer): void;
}

/**
 * Sends one request and hands its reply over as it comes: the leanest way through undici, without a stream or a
 * promise a chunk. Resolves after the last byte.
 *
 * @throws what the taker threw; the signal's reason; undici's error; Problem `connection_timeout` when the body drips
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  slowness: StallDetector,
  taker: Taker,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    let controller: Dispatcher.DispatchController | undefined;
    let socket: Socket | undefined;
    let settled = false;
    const watched: WatchedReply = { bytes: 0, tooSlow: () => end(dripping(new URL(request.origin ?? ""))) };
    const settle = (finish: () => void) => {
      settled = true;
      slowness.leave(watched);
      offAbort(signal, abort);
      finish();
    };
    const end = (error: unknown) => {
      if (settled) return;
      settle(() => reject(error));
      controller?.abort(error instanceof Error ? error : new Error("The request was given up"));
    };
    const abort = () => end(signal.reason);
    onAbort(signal, abort);
    const guarded = (work: () => void) => {
      if (settled) return;
      try {
        work();
      } catch (error) {
        end(error);
      }
    };
    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        if (settled) started.abort(new Error("The request was given up"));
        else slowness.watch(watched);
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) return;
        socket = bodyBegins();
        guarded(() => taker.begin({ status, headers: flatten(headers) }));
      },
      onResponseData: (_, chunk) => {
        watched.bytes += chunk.length;
        guarded(() => taker.take(chunk));
      },
      onResponseEnd: () => {
        bodyEnds(socket);
        // Without a length, undici takes a connection that was reset for the end of the body.
        const broken = socket?.errored;
        if (settled) return;
        if (broken) settle(() => reject(broken));
        else settle(resolve);
      },
      onResponseError: (_, error) => {
        bodyEnds(socket);
        if (!settled) settle(() => reject(error));
      },
    });
  });
}

/** Headers in undici's shape, each with one value. */
export function flatten(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const name in headers) {
    const value = headers[name];
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) flat[name] = last;
  }
  return flat;
}

/**
 * Calls back when a signal is aborted, until {@link offAbort}. Thousands of requests that come and go share one
 * listener of the signal: adding and removing a listener each time costs as much as signing the request.
 */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  const callbacks = watched.get(signal) ?? watch(signal);
  callbacks.add(callback);
}

export function offAbort(signal: AbortSignal, callback: () => void): void {
  watched.get(signal)?.delete(callback);
}

function watch(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  watched.set(signal, callbacks);
  setMaxListeners(0, signal);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks) callback();
    },
    { once: true },
  );
  return callbacks;
}

/** What a work comes to, or the signal's reason as soon as it is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else onAbort(signal, abort);
    work.then(resolve, reject).finally(() => offAbort(signal, abort));
  });
}
