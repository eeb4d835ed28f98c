import { lengthInBlocks } from "./stored-blocks.ts";

/**
 * The records of a ZIP file (PKWARE APPNOTE 6.3.10). The CRC-32 of an entry is known only after its bytes, which are
 * uncompressed blocks of DEFLATE; everything about empty entries is known before. Sizes and offsets that exceed 32 bits
 * are in ZIP64 fields.
 */

/** The properties of an entry that are known before its bytes. */
export interface EntryHead {
  /** With `/` as separator. */
  name: string;
  bytes: number;
  modified: Date;
}

const UTF8 = 0x0800;
/** Size and checksum follow the bytes. */
const STREAMED = 0x0008;
const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_64 = 45;
/** Made on UNIX: names are used unchanged, and a backslash is not a separator. */
const MADE_BY = (3 << 8) | VERSION_64;
const REGULAR_FILE = 0o100644;
const FOLDER = 0o040755;
const LIMIT_32 = 0xffff_ffff;
const LIMIT_16 = 0xffff;
const EXTRA_64 = 0x0001;

/** The local file header (section 4.3.7). */
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
  // The presence of this field means that the sizes after the bytes have 64 bits (section 4.3.9.2).
  return isLarge ? record.short(EXTRA_64).short(16).wide(0).wide(0).bytes : record.bytes;
}

/** The data descriptor (section 4.3.9); empty for an entry whose header is complete. */
export function dataDescriptor(entry: EntryHead, crc: number): Buffer {
  const { isLarge, flags, packed } = formOf(entry);
  if ((flags & STREAMED) === 0) return Buffer.alloc(0);
  if (isLarge) return new Record(24).long(0x08074b50).long(crc).wide(packed).wide(entry.bytes).bytes;
  return new Record(16).long(0x08074b50).long(crc).long(packed).long(entry.bytes).bytes;
}

/** The central directory header (section 4.3.12). */
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

/**
 * Properties that follow from an entry's length. Programs that read a ZIP as a stream do not accept streamed folders.
 */
function formOf({ bytes }: EntryHead) {
  const packed = lengthInBlocks(bytes);
  const isEmpty = bytes === 0;
  return {
    /** Length in blocks. */
    packed,
    /** Both sizes have 64 bits if one of them needs them. */
    isLarge: packed >= LIMIT_32,
    flags: isEmpty ? UTF8 : UTF8 | STREAMED,
    method: isEmpty ? STORED : DEFLATED,
  };
}

/** The records at the end of the file (sections 4.3.14 to 4.3.16). */
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

/** Writes numbers in the byte order of ZIP. */
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

  /** A UTC time in the format of MS-DOS (section 4.4.6): a resolution of two seconds, from 1980 to 2107. */
  time(when: Date): this {
    const known = new Date(Math.min(Math.max(when.getTime() || 0, EARLIEST), LATEST));
    const seconds = known.getUTCHours() * 2_048 + known.getUTCMinutes() * 32 + (known.getUTCSeconds() >> 1);
    const days = (known.getUTCFullYear() - 1980) * 512 + (known.getUTCMonth() + 1) * 32 + known.getUTCDate();
    return this.short(seconds).short(days);
  }
}

const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2107, 11, 31, 23, 59, 58);
