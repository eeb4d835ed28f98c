import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { offAbort, onAbort } from "./abort-callbacks.ts";
import { tooSlowProblem } from "./errors.ts";
import { bodyBegins, bodyEnds } from "./shared-buffer.ts";
import type { StallDetector, WatchedReply } from "./stall-detector.ts";

/** The head of a response. Header names are lower case; the last value of a repeated header is kept. */
export interface ReplyHead {
  status: number;
  headers: Record<string, string>;
}

/** Receives a response as it arrives. An error that it throws ends the request. */
export interface ResponseHandler {
  onHead(head: ReplyHead): void;
  /** Bytes in order. They are valid during the call only: the handler must copy what it keeps. */
  onData(chunk: Buffer): void;
}

/**
 * The reason for which an exchange ended before the last byte, and the origin of the error: the handler threw it, it is
 * the reason of the signal, or the transport failed (before or after the head of the response).
 */
type ExchangeFailure =
  | { from: "handler" | "signal"; error: unknown }
  | { from: "transport"; error: unknown; phase: "head" | "body" };

/**
 * Sends one request and passes the response to a handler, without a stream or a promise for each chunk.
 *
 * This is the only place that determines the origin of an error. The layers above translate: they throw the errors of
 * handlers and signals unchanged, and return failures of the transport.
 *
 * @returns undefined after the last byte; otherwise the failure. A body that is too slow is a failure of the transport
 * with Problem `connection_timeout`
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  stallDetector: StallDetector,
  handler: ResponseHandler,
): Promise<ExchangeFailure | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ from: "signal", error: signal.reason });
      return;
    }
    let controller: Dispatcher.DispatchController | undefined;
    let socket: Socket | undefined;
    let phase: "head" | "body" = "head";
    let settled = false;
    const watched: WatchedReply = {
      bytes: 0,
      tooSlow: () => giveUp({ from: "transport", error: tooSlowProblem(new URL(request.origin ?? "")), phase }),
    };
    const settle = (failure: ExchangeFailure | undefined) => {
      if (settled) return;
      settled = true;
      stallDetector.leave(watched);
      offAbort(signal, abort);
      resolve(failure);
    };
    const giveUp = (failure: ExchangeFailure) => {
      if (settled) return;
      settle(failure);
      controller?.abort(failure.error instanceof Error ? failure.error : new Error("The request was given up"));
    };
    const abort = () => giveUp({ from: "signal", error: signal.reason });
    onAbort(signal, abort);
    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        if (settled) started.abort(new Error("The request was given up"));
        else stallDetector.watch(watched);
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) return;
        socket = bodyBegins();
        if (settled) return;
        phase = "body";
        try {
          handler.onHead({ status, headers: flatten(headers) });
        } catch (error) {
          giveUp({ from: "handler", error });
        }
      },
      onResponseData: (_, chunk) => {
        watched.bytes += chunk.length;
        if (settled) return;
        try {
          handler.onData(chunk);
        } catch (error) {
          giveUp({ from: "handler", error });
        }
      },
      onResponseEnd: () => {
        bodyEnds(socket);
        // Without a length, undici treats a connection that was reset as the end of the body.
        const broken = socket?.errored;
        settle(broken ? { from: "transport", error: broken, phase } : undefined);
      },
      onResponseError: (_, error) => {
        bodyEnds(socket);
        settle({ from: "transport", error, phase });
      },
    });
  });
}

/** Converts headers of undici to one value for each name. */
export function flatten(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const name in headers) {
    const value = headers[name];
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) flat[name] = last;
  }
  return flat;
}
