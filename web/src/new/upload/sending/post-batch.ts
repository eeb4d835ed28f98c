import type { ProblemError } from "@accession/client";
import { SERVICE_URL } from "../../../api/client.ts";
import { currentSession, endSession } from "../../../api/session/session.ts";
import { problemIn } from "./answers.ts";

/** A small file in memory. */
export interface SmallFile {
  path: string;
  sha512: string;
  content: ArrayBuffer;
}

/** A line of the answer: a file that is complete and durable, or a problem of it, or of the batch if it names no file. */
export interface BatchLine {
  path?: string | null;
  problem?: ProblemError["problem"];
}

interface Options {
  /** Called with the number of bytes of files that were sent. The service may not have them yet. */
  onSent(bytes: number): void;
  onLine(line: BatchLine): void;
  signal: AbortSignal;
}

const OK = 200;

/**
 * Sends small files in one request. Resolves when the service has ended its answer.
 *
 * @param address for batches of the upload
 * @throws ProblemError, UnexpectedAnswerError; the error of the network; the reason of the signal
 */
export async function postBatch(
  address: string,
  files: readonly SmallFile[],
  { onSent, onLine, signal }: Options,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { type, body, overhead } = formOf(files);
  const token = currentSession()?.token;
  // Unlike `fetch`, it tells how much was sent.
  const request = new XMLHttpRequest();
  let read = 0;
  const takeLines = () => {
    if (request.status !== OK) return;
    for (let end = request.responseText.indexOf("\n", read); end >= 0; end = request.responseText.indexOf("\n", read)) {
      onLine(JSON.parse(request.responseText.slice(read, end)) as BatchLine);
      read = end + 1;
    }
  };
  request.upload.onprogress = ({ loaded }) => onSent(Math.max(0, loaded - overhead));
  /** Another server may have answered with something else than lines. */
  const orReject = (take: () => void) => () => {
    try {
      take();
    } catch (error) {
      reject(error);
    }
  };
  request.onprogress = orReject(takeLines);
  request.onload = orReject(() => {
    takeLines();
    if (request.status === 401 && token !== undefined) endSession(token);
    if (request.status === OK) resolve();
    else reject(problemIn(request.status, request.responseText));
  });
  request.onerror = () => reject(new TypeError("The connection was interrupted"));
  const stop = () => {
    reject(signal.reason);
    request.abort();
  };
  request.open("POST", new URL(address, SERVICE_URL));
  request.setRequestHeader("content-type", type);
  if (token !== undefined) request.setRequestHeader("authorization", `Bearer ${token}`);
  signal.addEventListener("abort", stop, { once: true });
  request.send(body);
  await promise.finally(() => signal.removeEventListener("abort", stop));
}

/** The form, and how many bytes of it are not of the files. */
function formOf(files: readonly SmallFile[]): { type: string; body: Uint8Array<ArrayBuffer>; overhead: number } {
  const boundary = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
  const encoder = new TextEncoder();
  const field = (name: string, more = "") =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const pieces = files.flatMap(({ path, sha512, content }, index) => {
    const end = index === 0 ? "" : "\r\n";
    const start = `${end}${field("path")}${path}\r\n${field("sha512")}${sha512}\r\n${field("file", '; filename="file"')}`;
    return [encoder.encode(start), new Uint8Array(content)];
  });
  pieces.push(encoder.encode(`\r\n--${boundary}--\r\n`));
  const body = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  const bytes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
  return { type: `multipart/form-data; boundary=${boundary}`, body, overhead: body.length - bytes };
}
