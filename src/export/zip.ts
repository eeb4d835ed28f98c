import { crc32 } from "node:zlib";
import type { Spool } from "./spool.ts";
import { inStoredBlocks, lengthInBlocks } from "./stored-blocks.ts";
import { centralHeader, dataDescriptor, type EntryHead, endRecords, localHeader } from "./zip-records.ts";

/** A file that goes into a ZIP; its content is as long as it says, or fails. */
export interface ZipEntry extends EntryHead {
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * The bytes of a ZIP of any size, as its entries come: not compressed, since most research data are already. An
 * entry's content is read to its end before the next entry is asked for. Memory: what the spool keeps, and it keeps the
 * directory, about 100 bytes and a name for each entry. That is why this is no library: those keep it in memory.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>, directory: Spool): AsyncGenerator<Uint8Array> {
  let offset = 0;
  let count = 0;
  for await (const entry of entries) {
    const head = localHeader(entry);
    yield head;
    const sum = { crc: 0 };
    yield* inStoredBlocks(summed(entry.content, sum), entry.bytes);
    const tail = dataDescriptor(entry, sum.crc);
    yield tail;
    await directory.write(centralHeader(entry, sum.crc, offset));
    offset += head.length + lengthInBlocks(entry.bytes) + tail.length;
    count++;
  }
  yield* directory.read();
  yield endRecords(count, { bytes: directory.bytes, offset });
}

async function* summed(content: ZipEntry["content"], sum: { crc: number }): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    sum.crc = crc32(piece, sum.crc);
    yield piece;
  }
}
