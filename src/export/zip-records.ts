import { lengthInBlocks } from "./stored-blocks.ts";

/**
 * The records of a ZIP file (PKWARE APPNOTE 6.3.10), for entries whose CRC-32 is known only when their bytes have gone by,
 * which come in blocks of DEFLATE that compress nothing; of empty ones all is known. Sizes and offsets that 32 bits cannot
 * hold stand in ZIP64 fields.
 */

/** What is known of an entry before its bytes. */
export interface EntryHead {
  /** With `/` between the parts. */
  name: string;
  bytes: number;
  modified: Date;
}

const UTF8 = 0x0800;
/** Size and checksum stand behind the bytes. */
const STREAMED = 0x0008;
const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_64 = 45;
/** Made on UNIX: names are taken as they stand, and a backslash is no separator. */
const MADE_BY = (3 << 8) | VERSION_64;
const REGULAR_FILE = 0o100644;
const FOLDER = 0o040755;
const LIMIT_32 = 0xffff_ffff;
const LIMIT_16 = 0xffff;
const EXTRA_64 = 0x0001;

/** Section 4.3.7. */
export function localHeader(entry: EntryHead): Buffer {
  const name = Buffer.from(entry.name);
  const { isLarge, flags, method } = formOf(entry);
  const record = new Record(30 + (isLarge ? 20 : 0) + name.length)
    .long(0x04034b50)
    .short(isLarge ? VERSION_64 : VERSION)
    .short(flags)
    .short(method)
    .time(entry.modified)
    .long(0)
    .long(isLarge ? LIMIT_32 : 0)
    .long(isLarge ? LIMIT_32 : 0)
    .short(name.length)
    .short(isLarge ? 20 : 0)
    .append(name);
  // That it is there says that the sizes behind the bytes have 64 bits (section 4.3.9.2).
  return isLarge ? record.short(EXTRA_64).short(16).wide(0).wide(0).bytes : record.bytes;
}

/** Section 4.3.9; nothing for an entry whose header has said it all. */
export function dataDescriptor(entry: EntryHead, crc: number): Buffer {
  const { isLarge, flags, packed } = formOf(entry);
  if ((flags & STREAMED) === 0) return Buffer.alloc(0);
  if (isLarge) return new Record(24).long(0x08074b50).long(crc).wide(packed).wide(entry.bytes).bytes;
  return new Record(16).long(0x08074b50).long(crc).long(packed).long(entry.bytes).bytes;
}

/** Section 4.3.12. */
export function centralHeader(entry: EntryHead, crc: number, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const { isLarge, flags, method, packed } = formOf(entry);
  const wide = [...(isLarge ? [entry.bytes, packed] : []), ...(offset >= LIMIT_32 ? [offset] : [])];
  const extra = wide.length === 0 ? 0 : 4 + 8 * wide.length;
  const record = new Record(46 + name.length + extra)
    .long(0x02014b50)
    .short(MADE_BY)
    .short(wide.length > 0 ? VERSION_64 : VERSION)
    .short(flags)
    .short(method)
    .time(entry.modified)
    .long(crc)
    .long(isLarge ? LIMIT_32 : packed)
    .long(isLarge ? LIMIT_32 : entry.bytes)
    .short(name.length)
    .short(extra)
    .short(0)
    .short(0)
    .short(0)
    .long((entry.name.endsWith("/") ? FOLDER : REGULAR_FILE) * 0x1_0000)
    .long(Math.min(offset, LIMIT_32))
    .append(name);
  if (wide.length === 0) return record.bytes;
  record.short(EXTRA_64).short(8 * wide.length);
  for (const value of wide) record.wide(value);
  return record.bytes;
}

/** What follows from an entry's length. Programs that read as it comes want no folder to be streamed. */
function formOf({ bytes }: EntryHead) {
  const packed = lengthInBlocks(bytes);
  const isEmpty = bytes === 0;
  return {
    /** In blocks. */
    packed,
    /** Both sizes have 64 bits when one of them wants them. */
    isLarge: packed >= LIMIT_32,
    flags: isEmpty ? UTF8 : UTF8 | STREAMED,
    method: isEmpty ? STORED : DEFLATED,
  };
}

/** Sections 4.3.14 to 4.3.16: what ends the file. */
export function endRecords(entries: number, directory: { bytes: number; offset: number }): Buffer {
  const { bytes, offset } = directory;
  const end = new Record(22)
    .long(0x06054b50)
    .short(0)
    .short(0)
    .short(Math.min(entries, LIMIT_16))
    .short(Math.min(entries, LIMIT_16))
    .long(Math.min(bytes, LIMIT_32))
    .long(Math.min(offset, LIMIT_32))
    .short(0).bytes;
  if (entries < LIMIT_16 && bytes < LIMIT_32 && offset < LIMIT_32) return end;
  const wide = new Record(76)
    .long(0x06064b50)
    .wide(44)
    .short(MADE_BY)
    .short(VERSION_64)
    .long(0)
    .long(0)
    .wide(entries)
    .wide(entries)
    .wide(bytes)
    .wide(offset)
    .long(0x07064b50)
    .long(0)
    .wide(offset + bytes)
    .long(1).bytes;
  return Buffer.concat([wide, end]);
}

/** Numbers in the order of bytes that ZIP has. */
class Record {
  readonly bytes: Buffer;
  #at = 0;

  constructor(length: number) {
    this.bytes = Buffer.alloc(length);
  }

  short(value: number): this {
    this.#at = this.bytes.writeUInt16LE(value, this.#at);
    return this;
  }

  long(value: number): this {
    this.#at = this.bytes.writeUInt32LE(value, this.#at);
    return this;
  }

  wide(value: number): this {
    this.#at = this.bytes.writeBigUInt64LE(BigInt(value), this.#at);
    return this;
  }

  append(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }

  /** As MS-DOS kept it (section 4.4.6), of UTC: two seconds are the least, and it knows 1980 to 2107. */
  time(when: Date): this {
    const known = new Date(Math.min(Math.max(when.getTime() || 0, EARLIEST), LATEST));
    const seconds = known.getUTCHours() * 2_048 + known.getUTCMinutes() * 32 + (known.getUTCSeconds() >> 1);
    const days = (known.getUTCFullYear() - 1980) * 512 + (known.getUTCMonth() + 1) * 32 + known.getUTCDate();
    return this.short(seconds).short(days);
  }
}

const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2107, 11, 31, 23, 59, 58);
