import { type FileHandle, open } from "node:fs/promises";
import type { ListedObject } from "../source.ts";

/** Consecutive bytes of an uploaded file. */
export interface StoredSegment {
  /** Name of the stored file in the folder of the area. */
  name: string;
  /** The stored file can be longer. */
  bytes: number;
}

/** A complete file of a submitted area. */
export interface AreaFile {
  key: string;
  bytes: number;
  /** Of the bytes that have arrived, in hex. */
  sha512: string;
  /** Whether the client had stated this SHA-512. */
  isStated: boolean;
  /** When it was complete, ISO 8601. */
  completedAt: string;
  segments: readonly StoredSegment[];
}

/** The file that lists an area for a submission, one object a line by key in byte order. Uploaded files have other names. */
export function listingName(submission: string): string {
  return `listing-${submission}`;
}

export function listingLine(file: AreaFile): string {
  const segments = file.segments.map(({ name, bytes }) => [name, bytes]);
  return `${JSON.stringify([file.key, file.bytes, file.sha512, file.isStated, file.completedAt, segments])}\n`;
}

function parseLine(line: Buffer): AreaFile {
  type Line = [string, number, string, boolean, string, [string, number][]];
  const [key, bytes, sha512, isStated, completedAt, segments] = JSON.parse(line.toString("utf8")) as Line;
  return {
    ...{ key, bytes, sha512, isStated, completedAt },
    segments: segments.map(([name, size]) => ({ name, bytes: size })),
  };
}

/** The ETag of an object: the position of its line in the listing, and its SHA-512. */
const ETAG = /^(\d{1,15})-([0-9a-f]{128})$/;

const PAGE = 1_000;
const READ_BYTES = 64 * 1024;

/** Reads a page of a listing from a byte on. @returns `next` undefined after the last page */
export async function readListing(
  path: string,
  from: number,
): Promise<{ objects: ListedObject[]; next: number | undefined }> {
  await using file = await open(path);
  const objects: ListedObject[] = [];
  let at = from;
  for await (const line of linesFrom(file, from)) {
    if (objects.length === PAGE) return { objects, next: at };
    const { key, bytes, sha512, completedAt } = parseLine(line);
    objects.push({ key, bytes, etag: `${at}-${sha512}`, lastModified: completedAt, storageClass: null });
    at += line.length + 1;
  }
  return { objects, next: undefined };
}

/**
 * Finds the file of an object that {@link readListing} has returned.
 * @throws Error if the listing does not have this object
 */
export async function findInListing(path: string, { key, bytes, etag }: ListedObject): Promise<AreaFile> {
  const [, at, sha512] = ETAG.exec(etag ?? "") ?? [];
  await using file = await open(path);
  for await (const line of linesFrom(file, Number(at))) {
    const found = parseLine(line);
    if (found.key === key && found.bytes === bytes && found.sha512 === sha512) return found;
    break;
  }
  throw new Error("The listing of an upload has another object at the position that its ETag names");
}

async function* linesFrom(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for (let at = from; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    let rest = buffer.subarray(0, bytesRead);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield Buffer.concat([...pieces, rest.subarray(0, end)]);
      pieces = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) pieces.push(rest);
  }
}
