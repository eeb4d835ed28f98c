import { randomUUID } from "node:crypto";
import type { Problem } from "../../../packages/client/src/index.ts";
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
