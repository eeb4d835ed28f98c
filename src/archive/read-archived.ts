import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { ArchiveReader } from "./reader.ts";

/** What lies in an archive is not what its receipt and logs say. The message is for the archive's keeper. */
export class ArchiveCorrupt extends Error {
  override readonly name = "ArchiveCorrupt";
}

/** What is read as a whole is metadata and logs of one submission; what is longer is none of them. */
const WHOLE_BYTES = 256 << 20;
/** A key has 1,024 bytes and user metadata 2,048; what is longer is no line. */
const LINE_BYTES = 16 << 20;
const LINE_FEED = 0x0a;

/**
 * A small file as text. With a digest it is the one that was written.
 * @throws ArchiveCorrupt that names the file, when it is missing or has another digest
 */
export async function readText(reader: ArchiveReader, path: string, sha512?: string): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(reader, path, sha512)) {
    bytes += piece.length;
    if (bytes > WHOLE_BYTES) throw new ArchiveCorrupt(`${path} is far too long`);
    // A reader may use its buffer again.
    pieces.push(Buffer.from(piece));
  }
  return decode(path, Buffer.concat(pieces));
}

/** The first bytes of a file as text, at most so many. @throws ArchiveCorrupt when it is missing */
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

/** A small file as a JSON value of this form. @throws ArchiveCorrupt */
export async function readJsonOf<T extends TSchema>(
  schema: T,
  reader: ArchiveReader,
  path: string,
  sha512?: string,
): Promise<Static<T>> {
  return parserOf(schema)(await readText(reader, path, sha512), path);
}

/**
 * The lines of a file of any length, some at a time, each a JSON value of this form. Whether the file is the one that
 * was written is only known at its end: whoever acts on a line before must be able to take it back.
 * @throws ArchiveCorrupt when the file is missing, a line is not of the form, or the whole has another digest
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
    if (rest.length > LINE_BYTES) throw new ArchiveCorrupt(`${path}: line ${number + 1} is far too long`);
    if (end < 0) continue;
    const lines = decode(path, bytes.subarray(0, end)).split("\n");
    yield lines.map((line) => parse(line, `${path}, line ${++number}`));
  }
  if (rest.length > 0) throw new ArchiveCorrupt(`${path} breaks off in line ${number + 1}`);
}

/** Goes once through a file's bytes. @throws ArchiveCorrupt when it is missing or has another digest */
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
    throw new ArchiveCorrupt(`${path} is no text in UTF-8`, { cause });
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
    throw new ArchiveCorrupt(`${where} is not of the form that docs/package-format.md gives it`);
  };
}
