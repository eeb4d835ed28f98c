/*
 * Blocks of DEFLATE that compress nothing (RFC 1951, section 3.2.4). Their length is known before their content is, and
 * programs that read a ZIP as it comes find their end, which of bytes that are merely stored they cannot.
 */

const MOST = 0xffff;
const HEADER = 5;

/** How long content of so many bytes becomes; nothing stays nothing. */
export function lengthInBlocks(bytes: number): number {
  return bytes + HEADER * Math.ceil(bytes / MOST);
}

/** @throws Error when the content is not as long as it was said to be */
export async function* inStoredBlocks(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  /** What the present block still takes. */
  let room = 0;
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      if (room === 0) {
        if (done === bytes) throw new Error(`An entry has more than ${bytes} bytes`);
        room = Math.min(bytes - done, MOST);
        yield blockHeader(room, done + room === bytes);
      }
      const some = piece.subarray(at, at + room);
      yield some;
      at += some.length;
      done += some.length;
      room -= some.length;
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
