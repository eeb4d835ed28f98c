import { crc32 } from "node:zlib";
import type { Spool } from "../spool.ts";
import { inStoredBlocks, lengthInBlocks } from "./stored-blocks.ts";
import { centralHeader, dataDescriptor, type EntryHead, endRecords, localHeader } from "./zip-records.ts";

/** A file to be added to a ZIP. Its content has the stated length, or fails. */
export interface ZipEntry extends EntryHead {
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * The bytes of a ZIP of any size, created while its entries arrive. It is not compressed, because most research data
 * already are. An entry's content is read to its end before the next entry is requested. The directory is kept in the
 * spool, about 100 bytes and a name for each entry; libraries keep it in memory, so none is used.
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
