import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { count } from "../../domain/numbers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from("PK\x03\x04");
/** Signatures of other compressed formats. */
const COMPRESSED: readonly [Buffer, name: string][] = [
  [Buffer.from("BZh"), "bzip2"],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58]), "xz"],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), "Zstandard"],
  [Buffer.from([0x37, 0x7a, 0xbc, 0xaf]), "7-Zip"],
];
const UTF16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** How much of a file was read, for the display of progress. */
export interface ReadProgress {
  bytesRead: number;
  bytesTotal: number;
}

/**
 * Reads a text file in UTF-8, which can be compressed with gzip, in pieces. Updates `progress` with the bytes of the file.
 *
 * @throws InvalidVocabulary for a file that cannot be read or is not UTF-8, and the reason of an aborted signal
 */
export async function* readText(file: string, progress: ReadProgress, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let bytes = 0;
  try {
    for await (const chunk of await contentOf(file, progress, signal)) {
      let text: string;
      try {
        text = decoder.decode(chunk, { stream: true });
      } catch (cause) {
        const at = invalidLine(chunk);
        const place = `line ${count(line + at.line)}, near byte ${count(bytes + at.byte + 1)}`;
        throw new InvalidVocabulary(`The file is not valid UTF-8 (${place}). Save it as UTF-8`, { cause });
      }
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) line++;
      bytes += chunk.length;
      yield text;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw readable(error);
  }
  try {
    decoder.decode();
  } catch (cause) {
    throw new InvalidVocabulary("The file ends within a character. It may be incomplete: download it again", { cause });
  }
}

/** The decompressed bytes of a file. Its first bytes say whether it is compressed, not its name. */
async function contentOf(file: string, progress: ReadProgress, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
  const handle = await open(file);
  const begin = Buffer.alloc(ZIP.length);
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new InvalidVocabulary("It is not a file");
    progress.bytesTotal = status.size;
    await handle.read(begin, 0, begin.length, 0);
  } finally {
    await handle.close();
  }
  if (begin.equals(ZIP)) {
    throw new InvalidVocabulary(
      "The file is a ZIP archive. Extract it, and import the .json or .csv file in it. Save a spreadsheet as CSV",
    );
  }
  const other = COMPRESSED.find(([mark]) => mark.equals(begin.subarray(0, mark.length)))?.[1];
  if (other !== undefined) {
    throw new InvalidVocabulary(`The file is compressed with ${other}. Decompress it, or compress it with gzip`);
  }
  if (UTF16.some((mark) => mark.equals(begin.subarray(0, mark.length)))) {
    throw new InvalidVocabulary("The file is in UTF-16. Save it as UTF-8");
  }
  const stored = storedBytes(file, progress, signal);
  if (!begin.subarray(0, GZIP.length).equals(GZIP)) return stored;
  // An error ends the last stream, whose reader receives it.
  return pipeline(stored, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
}

async function* storedBytes(file: string, progress: ReadProgress, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES, signal })) {
    progress.bytesRead += chunk.length;
    yield chunk as Buffer;
  }
}

/** The first line, counted from 0, that is not UTF-8. A character at the edge of the chunk can make it the first or last. */
function invalidLine(chunk: Buffer): { line: number; byte: number } {
  let begin = 0;
  for (let line = 0; ; line++) {
    const end = chunk.indexOf(NEWLINE, begin);
    if (end < 0 || !isUtf8(chunk.subarray(begin, end))) return { line, byte: begin };
    begin = end + 1;
  }
}

function readable(error: unknown): unknown {
  const { code } = error as { code?: string };
  const reason = REASONS[code ?? ""];
  if (reason === undefined) return error;
  return new InvalidVocabulary(reason, { cause: error });
}

const REASONS: Record<string, string> = {
  ENOENT: "There is no such file",
  ENOTDIR: "There is no such file",
  EACCES: "Permission denied. Give this user read access to the file",
  EPERM: "Permission denied. Give this user read access to the file",
  EIO: "The file cannot be read because of a disk error",
  Z_BUF_ERROR: "The compressed file ends early. Download it again",
  Z_DATA_ERROR: "The compressed file is damaged. Download it again",
};

/** Maximum characters that are read of a refused file, to find out whether it is damaged. */
const MOST_AFTER_REFUSAL = 64 << 20;

/**
 * Texts of a file whose content may be refused before the file is known to be readable. A damaged compressed file can
 * begin with any text, so the damage is reported instead of the text.
 */
export class ReadErrors {
  readonly #texts: AsyncGenerator<string>;
  #error: unknown;

  constructor(texts: AsyncGenerator<string>) {
    this.#texts = texts;
  }

  /** The texts. Ending the loop over them early does not close the file. */
  texts(): AsyncGenerator<string> {
    const texts = { next: () => this.#next(), [Symbol.asyncIterator]: () => texts };
    return texts as AsyncGenerator<string>;
  }

  /** The error to report for a refused content: that of reading the file, if it has one. */
  async explain(refusal: unknown): Promise<unknown> {
    if (!(refusal instanceof InvalidVocabulary)) return refusal;
    try {
      for (let read = 0; read < MOST_AFTER_REFUSAL && this.#error === undefined; ) {
        const next = await this.#next();
        if (next.done) break;
        read += next.value.length;
      }
      await this.#texts.return(undefined);
    } catch {
      // Noted by #next.
    }
    return this.#error ?? refusal;
  }

  async #next(): Promise<IteratorResult<string>> {
    try {
      return await this.#texts.next();
    } catch (error) {
      this.#error ??= error;
      throw error;
    }
  }
}
