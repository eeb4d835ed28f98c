import { Problem } from "../../../domain/problems.ts";

/** The body of a response. It must be read to its end or destroyed. */
export type ReplyBody = AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };

/**
 * At most `limit` bytes of a body; the rest is not awaited. An interrupted body is returned as far as it was received.
 */
export async function readStart(body: ReplyBody, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      size += part.length;
      if (size >= limit) break;
    }
  } catch (error) {
    // The status already shows that the request failed. An incomplete body is used, too, to explain it.
    if (error instanceof Problem) throw error;
  }
  body.destroy();
  return Buffer.concat(parts).subarray(0, limit);
}
