/** Limits of one call. A call that exceeds one of them fails, and its connection is closed. */
export interface Limits {
  /** Time limit in milliseconds for the whole response, including its body. */
  answerMs: number;
  /** Maximum size of the response in bytes. */
  answerBytes: number;
  /** The time limit grows by a second for each of these bytes of the request. */
  uploadBytesPerSecond: number;
}

/** The response is larger than the limit allows. */
export class AnswerTooLongError extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`The response is longer than ${bytes} bytes`);
    this.name = "AnswerTooLongError";
    this.bytes = bytes;
  }
}

/**
 * A `fetch` with limits, for a client or for a single call: `client.GET("/service", { fetch: limitedFetch(limits) })`.
 * It and the body of its response fail with a DOMException named TimeoutError, or with {@link AnswerTooLongError}. Event
 * streams have no end, so they have no limits.
 */
export function limitedFetch(limits: Limits): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.headers.get("accept") === "text/event-stream") return fetch(request);
    const sent = request.body === null ? 0 : (await request.clone().arrayBuffer()).byteLength;
    const late = timeLimit(limits.answerMs + (sent / limits.uploadBytesPerSecond) * 1_000);
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, late]) });
    return response.body === null ? response : new Response(limited(response.body, limits.answerBytes), response);
  };
}

/** Like `AbortSignal.timeout`, with a readable message. */
export function timeLimit(milliseconds: number): AbortSignal {
  const late = new AbortController();
  AbortSignal.timeout(Math.ceil(milliseconds)).addEventListener("abort", () => late.abort(timeoutError(milliseconds)));
  return late.signal;
}

/** The reason of a {@link timeLimit}. */
export function timeoutError(milliseconds: number): DOMException {
  return new DOMException(`no complete answer within ${Math.round(milliseconds / 1_000)} s`, "TimeoutError");
}

function limited(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.length;
      if (bytes > most) controller.error(new AnswerTooLongError(most));
      else controller.enqueue(piece);
    },
  });
  return body.pipeThrough(count);
}
