import { InvalidFileError } from "./invalid-file.ts";

/**
 * Decodes UTF-8, with or without byte order mark, and UTF-16 with byte order mark.
 * @throws InvalidFileError for other encodings and for binary content
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidFileError("The file is not UTF-8 text. Save it with the encoding UTF-8.");
  }
  if (text.includes("\0")) throw new InvalidFileError("The file contains binary data.");
  return text;
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
