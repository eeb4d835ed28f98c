/**
 * The stored form of the objects of a chunk: a JSON array with one object per line, so that one object can be changed
 * without parsing the others. The column is text and not a JSON type, because keys may contain NUL. Names have one letter
 * and default values are omitted, to reduce the amount of data. The line number gives the position in the listing.
 */
import { isoTime } from "../../domain/iso-time.ts";
import type { ObjectRecord, ObjectState } from "./objects.ts";

/** Number of notable objects of a chunk, by column. */
export interface Tally {
  listed: number;
  failed: number;
  excluded: number;
  suspect: number;
  odd: number;
}

interface Line {
  k: string;
  b: number;
  /** ETag; absent if there is none. */
  e?: string | undefined;
  /** Time of the last change; absent if not known. */
  t?: string | undefined;
  /** Storage class; absent for the default class. */
  c?: string | null | undefined;
  /** Odd. */
  o?: 1 | undefined;
  /** Path. */
  p?: string | undefined;
  /** Index of the state in {@link STATES}; absent for the first. */
  s?: number | undefined;
  /** Content path. */
  l?: string | undefined;
  /** SHA-512 in Base64, which is a third shorter. */
  h?: string | undefined;
  v?: string | undefined;
  w?: string | undefined;
  /** Digests of the submitter, by algorithm. */
  g?: Record<string, string> | undefined;
  /** The ETag is a digest, in addition to a checksum. */
  d?: 1 | undefined;
  /** The version in which it was verified; absent for this version. */
  i?: number | undefined;
  /** Suspect. */
  u?: 1 | undefined;
  /** Metadata of the object from the answer. */
  m?: object | undefined;
  /** Number of reads; absent if none. */
  n?: number | undefined;
  /** Error. */
  x?: { code: string; message: string } | undefined;
  /** Reason of the exclusion. */
  r?: string | undefined;
}

const STATES: readonly ObjectState[] = ["listed", "stored", "failed", "excluded"];
const USUAL_CLASS = "STANDARD";
/** What separates the lines. It does not occur within one. */
export const BETWEEN = ",\n";

export function writeChunk(objects: readonly ObjectRecord[]): string {
  return joinLines(objects.map(writeObject));
}

export function readChunkText(text: string, firstSeq: number): ObjectRecord[] {
  return (JSON.parse(text) as Line[]).map((line, index) => recordOf(line, firstSeq + index));
}

/** The lines of a chunk, one per object, in listing order. */
export function splitLines(text: string): string[] {
  return text.slice(1, -1).split(BETWEEN);
}

export function joinLines(lines: readonly string[]): string {
  return `[${lines.join(BETWEEN)}]`;
}

export function readObject(line: string, seq: number): ObjectRecord {
  return recordOf(JSON.parse(line) as Line, seq);
}

export function writeObject(object: ObjectRecord): string {
  const line: Line = {
    k: object.key,
    b: object.bytes,
    e: object.etag ?? undefined,
    t: object.lastModified ?? undefined,
    c: object.storageClass === USUAL_CLASS ? undefined : object.storageClass,
    o: object.odd ? 1 : undefined,
    p: object.path ?? undefined,
    s: STATES.indexOf(object.state) || undefined,
    l: object.contentPath ?? undefined,
    h: object.sha512 === null ? undefined : Buffer.from(object.sha512, "hex").toString("base64"),
    v: object.verifiedBy ?? undefined,
    w: object.verifiedWith ?? undefined,
    g: object.stated ?? undefined,
    d: object.etagIsDigest ? 1 : undefined,
    i: object.verifiedIn ?? undefined,
    u: object.suspect ? 1 : undefined,
    m: object.responseMetadata ?? undefined,
    n: object.attempts || undefined,
    x: object.error ?? undefined,
    r: object.exclusion ?? undefined,
  };
  return JSON.stringify(line);
}

function recordOf(line: Line, seq: number): ObjectRecord {
  return {
    seq,
    key: line.k,
    bytes: line.b,
    etag: line.e ?? null,
    // Older versions stored what the server had stated.
    lastModified: isoTime(line.t),
    storageClass: line.c === undefined ? USUAL_CLASS : line.c,
    odd: line.o === 1,
    path: line.p ?? null,
    state: STATES[line.s ?? 0] ?? "listed",
    contentPath: line.l ?? null,
    sha512: line.h === undefined ? null : Buffer.from(line.h, "base64").toString("hex"),
    verifiedBy: line.v ?? null,
    verifiedWith: line.w ?? null,
    stated: line.g ?? null,
    etagIsDigest: line.d === 1,
    verifiedIn: line.i ?? null,
    suspect: line.u === 1,
    responseMetadata: line.m ?? null,
    attempts: line.n ?? 0,
    error: line.x ?? null,
    exclusion: line.r ?? null,
  };
}

export function countObjects(objects: readonly ObjectRecord[]): Tally {
  const tally: Tally = { listed: 0, failed: 0, excluded: 0, suspect: 0, odd: 0 };
  for (const object of objects) countObject(tally, object, 1);
  return tally;
}

/** Adds an object to the count, or removes it. */
export function countObject(tally: Tally, object: ObjectRecord, by: 1 | -1): void {
  if (object.state !== "stored") tally[object.state] += by;
  if (object.suspect) tally.suspect += by;
  if (object.odd) tally.odd += by;
}
