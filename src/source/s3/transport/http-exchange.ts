import { type Dispatcher, errors } from "undici";
import { offAbort, onAbort } from "../../../platform/threads/abort-callbacks.ts";
import type { ResponseReceiver, SentRequest } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { tooSlowProblem } from "./errors.ts";
import type { ReplyHead } from "./response-parser.ts";
import type { StallDetector, WatchedReply } from "./stall-detector.ts";

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

/** Requests of visible ASCII are sent directly. undici sends, or rejects, all others. */
const PLAIN_PATH = /^[\x21-\x7e]+$/;
const PLAIN_VALUE = /^[\x20-\x7e]*$/;

/** A request without a body. */
export interface ExchangeRequest {
  /** Scheme, host and port. */
  origin: URL;
  path: string;
  method: "GET" | "HEAD";
  headers: Record<string, string>;
}

/** What an exchange needs of the egress. */
interface Transport {
  connections: Connections;
  /** Sends the requests whose responses are unusual. */
  dispatcher: Dispatcher;
  stallDetector: StallDetector;
}

/**
 * Sends one GET request and passes the response to a handler, without a stream or a promise for each chunk. A response
 * that the fast parser does not accept is requested again through undici.
 *
 * This is the only place that determines the origin of an error. The layers above translate: they throw the errors of
 * handlers and signals unchanged, and return failures of the transport.
 *
 * @returns undefined after the last byte; otherwise the failure. A body that is too slow is a failure of the transport
 * with Problem `connection_timeout`
 */
export function exchange(
  { connections, dispatcher, stallDetector }: Transport,
  request: ExchangeRequest,
  signal: AbortSignal,
  handler: ResponseHandler,
): Promise<ExchangeFailure | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ from: "signal", error: signal.reason });
      return;
    }
    let phase: "head" | "body" = "head";
    let settled = false;
    let sent: SentRequest | undefined;
    const watched: WatchedReply = {
      place: -1,
      bytes: 0,
      bytesBefore: 0,
      tooSlow: () => giveUp({ from: "transport", error: tooSlowProblem(request.origin), phase }),
    };
    const settle = (failure: ExchangeFailure | undefined) => {
      if (settled) return;
      settled = true;
      stallDetector.leave(watched);
      offAbort(signal, callback);
      resolve(failure);
    };
    const giveUp = (failure: ExchangeFailure) => {
      if (settled) return;
      settle(failure);
      sent?.abort();
    };
    const callback = onAbort(signal, () => giveUp({ from: "signal", error: signal.reason }));
    const receiver: ResponseReceiver = {
      // The time in which a request waits for a connection does not count.
      onSent() {
        if (!settled) stallDetector.watch(watched);
      },
      onHead(head) {
        if (settled) return;
        phase = "body";
        try {
          handler.onHead(head);
        } catch (error) {
          giveUp({ from: "handler", error });
        }
      },
      onData(chunk) {
        if (settled) return;
        watched.bytes += chunk.length;
        try {
          handler.onData(chunk);
        } catch (error) {
          giveUp({ from: "handler", error });
        }
      },
      onComplete: () => settle(undefined),
      onFailure: (error) => settle({ from: "transport", error, phase }),
      onUnusual() {
        if (!settled) sent = dispatch(dispatcher, request, receiver);
      },
    };
    const head = connections.isUnusual(request.origin.origin) ? undefined : requestHead(request);
    const started =
      head === undefined ? dispatch(dispatcher, request, receiver) : connections.send(request.origin, head, receiver);
    sent ??= started;
    if (settled) started.abort();
  });
}

/** The head of a GET request as it is sent; undefined if it is not plain ASCII. */
function requestHead({ origin, path, method, headers }: ExchangeRequest): string | undefined {
  if (method !== "GET" || !PLAIN_PATH.test(path)) return undefined;
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${origin.host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (!PLAIN_VALUE.test(value)) return undefined;
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}

/**
 * Sends a request through undici. If a connection is reset in a body without a length, undici reports a complete body. Such
 * a body is checked only by its number of bytes and its digests.
 */
function dispatch(dispatcher: Dispatcher, request: ExchangeRequest, receiver: ResponseReceiver): SentRequest {
  const abortReason = new Error("The request was aborted");
  let controller: Dispatcher.DispatchController | undefined;
  let isAborted = false;
  dispatcher.dispatch(
    { ...request, origin: request.origin.origin },
    {
      onRequestStart(started) {
        controller = started;
        if (isAborted) started.abort(abortReason);
        else receiver.onSent();
      },
      onResponseStart(_, status, headers) {
        if (status >= 200 && !isAborted) receiver.onHead({ status, headers: flatten(headers) });
      },
      onResponseData(_, chunk) {
        if (!isAborted) receiver.onData(chunk);
      },
      onResponseEnd() {
        if (!isAborted) receiver.onComplete();
      },
      onResponseError(_, error) {
        if (!isAborted) receiver.onFailure(isAssertion(error) ? new errors.HTTPParserError(error.message) : error);
      },
    },
  );
  return {
    abort() {
      isAborted = true;
      controller?.abort(abortReason);
    },
  };
}

/** undici asserts some properties of responses, such as a status of at least 100. */
function isAssertion(error: Error): boolean {
  return (error as { code?: string }).code === "ERR_ASSERTION";
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
