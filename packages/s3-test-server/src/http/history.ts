import { writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import type { Operation } from "../operations/operations.ts";
import type { RawRequest } from "./raw-request.ts";

/** One request that reached the server. */
export interface RequestRecord {
  readonly at: Date;
  readonly method: string;
  readonly operation: Operation;
  readonly bucket: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case, without `authorization`. */
  readonly headers: IncomingHttpHeaders;
  /** 0 until there is a response, and if there is none. */
  status: number;
}

/** Records a request. Its status is set when the response is sent. */
export function recordOf(request: RawRequest, operation: Operation): RequestRecord {
  const { authorization: _, ...headers } = request.headers;
  const { method, bucket, key, query } = request;
  return { at: new Date(), method, operation, bucket, key, query: Object.fromEntries(query), headers, status: 0 };
}

/** Writes a history to a file, one JSON object on each line. */
export async function writeHistory(history: readonly RequestRecord[], file: string): Promise<void> {
  await writeFile(file, history.map((record) => `${JSON.stringify(record)}\n`).join(""));
}
