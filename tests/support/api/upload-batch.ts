import { randomUUID } from "node:crypto";
import type { Problem } from "../../../packages/client/src/index.ts";
import type { Api } from "./api.ts";
import { sha512 } from "./tus-client.ts";

/** A file of a batch. */
export interface BatchFile {
  path: string;
  bytes: Buffer;
  /** Default: the right one. Null for none. */
  sha512?: string | null;
}

/** A line of the response. */
export interface BatchLine {
  path?: string | null;
  bytes?: number;
  sha512?: string;
  problem?: Problem;
}

/** A form as `multipart/form-data`, in pieces: one for each file, and the end. */
export function batchForm(files: readonly BatchFile[]): { type: string; pieces: Buffer[] } {
  const boundary = randomUUID();
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const pieces = files.map(({ path, bytes, sha512: stated = sha512(bytes) }) =>
    Buffer.concat([
      Buffer.from(field("path", path) + (stated === null ? "" : field("sha512", stated))),
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n`),
      bytes,
      Buffer.from("\r\n"),
    ]),
  );
  return { type: `multipart/form-data; boundary=${boundary}`, pieces: [...pieces, Buffer.from(`--${boundary}--\r\n`)] };
}

/** The complete lines of a response of which some may be missing. */
export function linesOf(text: string): BatchLine[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Sends a form to an upload. */
export function postBatch(
  { url, headers }: Api,
  id: string,
  { body, type, signal }: { body: Uint8Array | string | ReadableStream; type: string; signal?: AbortSignal },
): Promise<Response> {
  const init = {
    method: "POST",
    headers: { ...headers, "content-type": type },
    ...{ body, duplex: "half" },
    ...(signal && { signal }),
  } as RequestInit;
  return fetch(`${url}/uploads/${id}/batch`, init);
}

/** Sends files, and returns the lines of the answer. */
export async function sendBatch(api: Api, id: string, files: readonly BatchFile[]): Promise<BatchLine[]> {
  const { type, pieces } = batchForm(files);
  const answer = await postBatch(api, id, { body: Buffer.concat(pieces), type });
  const kind = answer.headers.get("content-type");
  if (kind !== "application/x-ndjson") throw new Error(`no batch: ${answer.status} ${await answer.text()}`);
  return linesOf(await answer.text());
}
