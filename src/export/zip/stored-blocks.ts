/*
 * Uncompressed blocks of DEFLATE (RFC 1951, section 3.2.4). Their length is known before their content. Programs that
 * read a ZIP as a stream find their end, which is not possible for the method “stored”.
 */

const MOST = 0xffff;
const HEADER = 5;

/** Length of the blocks for content of this length; 0 for empty content. */
export function lengthInBlocks(bytes: number): number {
  return bytes + HEADER * Math.ceil(bytes / MOST);
}

/** @throws Error if the content does not have the given length */
export async function* inStoredBlocks(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  /** Remaining bytes of the current block. */
  let left = 0;
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      if (left === 0) {
        if (done === bytes) throw new Error(`An entry has more than ${bytes} bytes`);
        left = Math.min(bytes - done, MOST);
        yield blockHeader(left, done + left === bytes);
      }
      const some = piece.subarray(at, at + left);
      yield some;
      at += some.length;
      done += some.length;
      left -= some.length;
    }
  }
  if (done !== bytes) throw new Error(`An entry has ${done} bytes instead of ${bytes}`);
}

function blockHeader(length: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(HEADER);
  header[0] = isLast ? 1 : 0;
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(~length & MOST, 3);
  return header;
}
