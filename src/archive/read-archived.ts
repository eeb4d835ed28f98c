import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { ArchiveReader } from "./reader.ts";

/** Files of an archive differ from its receipts or logs. The message is for the operator of the archive. */
export class ArchiveCorrupt extends Error {
  override readonly name = "ArchiveCorrupt";
}

/** Limit for files that are read completely: metadata and logs of one submission. Longer files are invalid. */
const WHOLE_BYTES = 256 << 20;
/** Limit for a line. A key has at most 1,024 bytes and user metadata 2,048, so longer lines are invalid. */
const LINE_BYTES = 16 << 20;
const LINE_FEED = 0x0a;

/**
 * Reads a small file as text, and verifies its digest if one is given.
 * @throws ArchiveCorrupt that names the file, if it is missing or has another digest
 */
export async function readText(reader: ArchiveReader, path: string, sha512?: string): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(reader, path, sha512)) {
    bytes += piece.length;
    if (bytes > WHOLE_BYTES) throw new ArchiveCorrupt(`${path} is longer than ${WHOLE_BYTES >> 20} MiB`);
    // A reader may reuse its buffer.
    pieces.push(Buffer.from(piece));
  }
  return decode(path, Buffer.concat(pieces));
}

/** The beginning of a file as text, at most `most` bytes. @throws ArchiveCorrupt if it is missing */
export async function readBeginning(reader: ArchiveReader, path: string, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(reader, path, undefined)) {
    pieces.push(Buffer.from(piece.subarray(0, most - bytes)));
    bytes += piece.length;
    if (bytes >= most) break;
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Parses a small file as JSON that matches a schema. @throws ArchiveCorrupt */
export async function readJsonOf<T extends TSchema>(
  schema: T,
  reader: ArchiveReader,
  path: string,
  sha512?: string,
): Promise<Static<T>> {
  return parserOf(schema)(await readText(reader, path, sha512), path);
}

/**
 * The lines of a file of any length, in batches, each parsed as JSON that matches a schema. The file's digest is
 * verified only at its end, so callers must be able to undo what they did with earlier lines.
 * @throws ArchiveCorrupt if the file is missing, a line does not match the schema, or the digest differs
 */
export async function* readLines<T extends TSchema>(
  schema: T,
  reader: ArchiveReader,
  path: string,
  sha512: string,
): AsyncGenerator<Static<T>[]> {
  const parse = parserOf(schema);
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of piecesOf(reader, path, sha512)) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(LINE_FEED);
    rest = bytes.subarray(end + 1);
    if (rest.length > LINE_BYTES)
      throw new ArchiveCorrupt(`${path}: line ${number + 1} is longer than ${LINE_BYTES >> 20} MiB`);
    if (end < 0) continue;
    const lines = decode(path, bytes.subarray(0, end)).split("\n");
    yield lines.map((line) => parse(line, `${path}, line ${++number}`));
  }
  if (rest.length > 0) throw new ArchiveCorrupt(`${path} ends in the middle of line ${number + 1}`);
}

/** Reads a file once and verifies its digest. @throws ArchiveCorrupt if it is missing or has another digest */
export async function checkBytes(reader: ArchiveReader, path: string, sha512: string): Promise<void> {
  for await (const _ of piecesOf(reader, path, sha512));
}

async function* piecesOf(reader: ArchiveReader, path: string, sha512: string | undefined): AsyncGenerator<Buffer> {
  const hash: Hash | undefined = sha512 === undefined ? undefined : createHash("sha512");
  const stream = await openFile(reader, path);
  try {
    for (;;) {
      const next = await stream.next().catch((cause: unknown) => unreadable(path, cause));
      if (next.done === true) break;
      hash?.update(next.value);
      yield next.value;
    }
  } finally {
    await stream.return?.();
  }
  const real = hash?.digest("hex");
  if (real !== sha512) throw new ArchiveCorrupt(`${path} was changed: its SHA-512 is ${real}, it should be ${sha512}`);
}

async function openFile(reader: ArchiveReader, path: string): Promise<AsyncIterator<Buffer>> {
  const stream: Readable = await reader.read(path).catch((cause: unknown) => unreadable(path, cause));
  return stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
}

function unreadable(path: string, cause: unknown): never {
  const { code, message } = cause as { code?: string; message?: string };
  throw new ArchiveCorrupt(code === "ENOENT" ? `${path} is missing` : `${path} cannot be read: ${code ?? message}`, {
    cause,
  });
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ArchiveCorrupt(`${path} is not UTF-8 text`, { cause });
  }
}

function parserOf<T extends TSchema>(schema: T): (text: string, where: string) => Static<T> {
  const form = Compile(schema);
  return (text, where) => {
    try {
      const value: unknown = JSON.parse(text);
      if (form.Check(value)) return value;
    } catch (cause) {
      throw new ArchiveCorrupt(`${where} is not JSON`, { cause });
    }
    throw new ArchiveCorrupt(`${where} does not have the format that docs/package-format.md describes`);
  };
}
