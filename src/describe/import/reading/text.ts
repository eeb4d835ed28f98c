import { isUtf8 } from "node:buffer";
import { InvalidFileError } from "./invalid-file.ts";

/** Encodings that a file can declare besides Unicode. */
const OTHER_ENCODINGS = /^(?:iso-?8859-?1|latin-?1|windows-?1252|cp-?1252|us-ascii)$/i;

/** Control characters that texts do not contain. */
const CONTROL = /[\x01-\x08\x0e-\x1f\x7f]/;

/**
 * Decodes UTF-8, with or without byte order mark, UTF-16 with byte order mark, and otherwise Windows-1252, of which
 * ISO 8859-1 is a part. Editors and spreadsheets on Windows save texts in it.
 *
 * @param declared the encoding that the file states
 * @returns the text, and whether its encoding is assumed
 * @throws InvalidFileError for other encodings that are declared, and for binary content
 */
export function decodeText(bytes: Uint8Array, declared?: string): { text: string; isAssumed: boolean } {
  const isOther =
    encodingOf(bytes) === "utf-8" && !isUtf8(bytes) && (declared === undefined || OTHER_ENCODINGS.test(declared));
  const encoding = isOther ? "windows-1252" : encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidFileError("The file is not UTF-8 text. Save it with the encoding UTF-8.");
  }
  if (text.includes("\0") || (isOther && CONTROL.test(text))) {
    throw new InvalidFileError("The file contains binary data.");
  }
  return { text, isAssumed: isOther && declared === undefined };
}

/** The encoding that the declaration of an XML document states. */
export function xmlEncoding(bytes: Uint8Array): string | undefined {
  const begin = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(begin)?.[1];
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}

/** The first part of a text with at most `length` characters, ending at a word and with “…” if it was cut. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(0, length - 1);
  const end = Math.max(part.lastIndexOf(" "), part.lastIndexOf("\n"));
  // A text without spaces is cut inside a word, but not inside a surrogate pair.
  return `${(end > length / 2 ? part.slice(0, end) : part.replace(/[\ud800-\udbff]$/, "")).trimEnd()}…`;
}
