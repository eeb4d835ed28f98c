import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ByteRange } from "../../export/contents.ts";

/** Several ranges of a file as one body (RFC 9110, section 14.6). */
interface Multipart {
  type: string;
  bytes: number;
  content: Readable;
}

/** @param open opens a range; called for the ranges in order, while the body is read */
export function multipartOf(
  ranges: readonly ByteRange[],
  file: { type: string; bytes: number },
  open: (range: ByteRange) => Promise<Readable>,
): Multipart {
  const boundary = randomUUID();
  const parts = ranges.map((range) => ({
    range,
    head: `\r\n--${boundary}\r\nContent-Type: ${file.type}\r\nContent-Range: ${contentRange(range, file.bytes)}\r\n\r\n`,
  }));
  const tail = `\r\n--${boundary}--\r\n`;
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const { range, head } of parts) {
      yield Buffer.from(head);
      yield* await open(range);
    }
    yield Buffer.from(tail);
  }
  return {
    type: `multipart/byteranges; boundary=${boundary}`,
    // Part headers are ASCII, so that their length in characters is their length in bytes.
    bytes: parts.reduce((sum, { range, head }) => sum + head.length + range.to - range.from, tail.length),
    content: Readable.from(body(), { objectMode: false }),
  };
}

export function contentRange({ from, to }: ByteRange, bytes: number): string {
  return `bytes ${from}-${to - 1}/${bytes}`;
}
