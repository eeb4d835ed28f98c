import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Body, wholeBody } from "./bodies.ts";

/** Bytes of an object that are generated while they are sent. */
interface BodyRange {
  readonly body: Body;
  readonly start: number;
  readonly end: number;
}

/** A response as data, so that faults can change it before it is sent. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer | BodyRange;
}

/** A response without a body. */
export const emptyReply = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: nothing,
});

const nothing = Buffer.alloc(0);

/** Faults of the sending. Offsets refer to the bytes of this response's body. */
export interface ResponseFault {
  /** Declares the full length, sends this number of bytes, then closes the connection. */
  cutAfter?: number;
  /** With `cutAfter`: closes with RST, so that bytes in transit may also be lost. */
  reset?: boolean;
  /** Sends this number of bytes, then nothing until the connection is closed. */
  stallAfter?: number;
  /** With `stallAfter`: closes the connection after this number of milliseconds. */
  stallFor?: number;
  /** Inverts the byte at this offset. */
  flipByte?: number;
  /** Sends and declares this number of additional bytes, or fewer bytes if negative. */
  wrongLength?: number;
  /** Declares no length: the end of the connection is the end of the body. */
  withoutLength?: boolean;
  /** Sends all bytes in chunks, and closes the connection instead of sending the last, empty chunk. */
  withoutLastChunk?: boolean;
  /** Sends the head in two pieces: the position of the cut, 0 to 1, and the delay in milliseconds. */
  headCut?: { where: number; milliseconds: number };
}

/** Number of bytes in a response's body. */
export function replyLength(reply: Reply): number {
  return Buffer.isBuffer(reply.body) ? reply.body.length : reply.body.end - reply.body.start;
}

/** Sends a response. Resolves when it is sent, or when the connection or the server is closed. */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  fault: ResponseFault | undefined,
  headOnly: boolean,
  stopped: AbortSignal,
): Promise<void> {
  if (fault === undefined && (headOnly || replyLength(reply) <= smallBytes)) {
    sendAtOnce(response, reply, headOnly);
    return;
  }
  await sendPieces(response, reply, fault ?? {}, headOnly, stopped);
}

/** Smaller responses are sent in one piece with their headers, which is much faster. */
const smallBytes = 64 * 1024;

function sendAtOnce(response: ServerResponse, reply: Reply, headOnly: boolean): void {
  if (headOnly) {
    // The response to HEAD states the length of an object; an error to HEAD states none.
    response.writeHead(reply.status, reply.headers);
    response.end();
    return;
  }
  const bytes = Buffer.isBuffer(reply.body) ? reply.body : wholeBody(reply.body.body, reply.body.start, reply.body.end);
  reply.headers["content-length"] ??= String(bytes.length);
  response.writeHead(reply.status, reply.headers);
  response.end(bytes);
}

async function sendPieces(
  response: ServerResponse,
  reply: Reply,
  fault: ResponseFault,
  headOnly: boolean,
  stopped: AbortSignal,
): Promise<void> {
  const declared = Number(reply.headers["content-length"] ?? replyLength(reply));
  const length = Math.max(0, declared + (fault.wrongLength ?? 0));
  const limit = Math.min(fault.cutAfter ?? length, fault.stallAfter ?? length, length);
  if (fault.withoutLastChunk) declareChunks(response, reply);
  else declareLength(response, reply, fault.withoutLength ? undefined : length);
  if (headOnly) {
    response.end();
    return;
  }
  // Not flushHeaders(), which sends each character as UTF-8 and not as the byte that it stands for.
  if (fault.headCut === undefined) response.write(Buffer.alloc(0));
  else await sendHeadInTwo(response, fault.headCut);
  let sent = 0;
  for (const chunk of pieces(reply, length, fault.flipByte)) {
    if (sent >= limit || response.destroyed) break;
    const piece = sent + chunk.length > limit ? chunk.subarray(0, limit - sent) : chunk;
    sent += piece.length;
    if (!response.write(piece)) await drained(response, stopped);
  }
  if (fault.withoutLastChunk) await flushAndClose(response, "destroy");
  else if (limit === length) response.end();
  else if (fault.stallAfter === limit) await stall(response, fault.stallFor, stopped);
  else await flushAndClose(response, fault.withoutLength ? "end" : fault.reset ? "reset" : "destroy");
}

async function sendHeadInTwo(
  response: ServerResponse,
  { where, milliseconds }: NonNullable<ResponseFault["headCut"]>,
): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  let head = Buffer.alloc(0);
  const write = socket.write;
  socket.write = (text: string | Uint8Array) => {
    head = Buffer.concat([head, typeof text === "string" ? Buffer.from(text, "latin1") : text]);
    return true;
  };
  response.flushHeaders();
  socket.write = write;
  const cut = Math.floor(where * head.length);
  socket.write(head.subarray(0, cut));
  await sleep(milliseconds);
  if (!socket.destroyed) socket.write(head.subarray(cut));
}

function declareLength(response: ServerResponse, reply: Reply, length: number | undefined): void {
  if (length !== undefined) {
    response.writeHead(reply.status, { ...reply.headers, "content-length": String(length) });
    return;
  }
  const { "content-length": _, ...headers } = reply.headers;
  // Without both headers, HTTP/1.1 marks the end of the body only by the end of the connection.
  response.removeHeader("transfer-encoding");
  response.writeHead(reply.status, { ...headers, connection: "close" });
}

function declareChunks(response: ServerResponse, reply: Reply): void {
  const { "content-length": _, ...headers } = reply.headers;
  response.writeHead(reply.status, { ...headers, "transfer-encoding": "chunked" });
}

/** The body in small pieces, with one byte inverted, and extended or truncated to a length. */
function* pieces(reply: Reply, length: number, flipByte: number | undefined): Generator<Buffer> {
  const { body } = reply;
  let at = 0;
  for (const chunk of Buffer.isBuffer(body) ? [body] : body.body.read(body.start, body.end)) {
    const here = flipByte === undefined ? -1 : flipByte - at;
    yield here >= 0 && here < chunk.length ? inverted(chunk, here) : chunk;
    at += chunk.length;
  }
  while (at < length) {
    const filler = Buffer.alloc(Math.min(65_536, length - at));
    yield filler;
    at += filler.length;
  }
}

function inverted(chunk: Buffer, index: number): Buffer {
  const copy = Buffer.from(chunk);
  copy[index] = ~(copy[index] as number) & 0xff;
  return copy;
}

/** Sends nothing more, endlessly or for this number of milliseconds. */
async function stall(response: ServerResponse, milliseconds: number | undefined, stopped: AbortSignal): Promise<void> {
  const timer = milliseconds === undefined ? undefined : setTimeout(() => response.destroy(), milliseconds);
  await once(response, ["close"], stopped);
  clearTimeout(timer);
}

/** Closes a connection early, but only after the written bytes have left the process. */
async function flushAndClose(response: ServerResponse, how: "end" | "destroy" | "reset"): Promise<void> {
  await new Promise<void>((resolve) => {
    response.write("", () => resolve());
    response.once("close", () => resolve());
  });
  if (how === "end") response.end();
  else if (how === "destroy") response.destroy();
  else response.socket?.resetAndDestroy();
}

const drained = (response: ServerResponse, stopped: AbortSignal): Promise<void> =>
  once(response, ["drain", "close"], stopped);

/** Resolves at the first of the events, or when the server stops. */
function once(response: ServerResponse, events: readonly string[], stopped: AbortSignal): Promise<void> {
  if (response.destroyed || stopped.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) response.off(event, done);
      stopped.removeEventListener("abort", done);
      resolve();
    };
    for (const event of events) response.on(event, done);
    stopped.addEventListener("abort", done);
  });
}
