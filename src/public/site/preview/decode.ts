/** A text that was decoded. */
export interface Decoded {
  text: string;
  encoding: string;
}

/** Byte order marks. */
const MARKS: readonly [encoding: string, mark: readonly number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Beginnings of formats that are not text, although they can be without NUL. */
const BINARY: readonly string[] = ["\x1f\x8b", "%PDF-", "PK\x03\x04", "BZh", "\x28\xb5\x2f\xfd", "\xfd7zXZ"];

/**
 * Decodes the beginning of a file by its byte order mark, else as UTF-8, else as Windows-1252, as the application does. An incomplete
 * character at the end is left out.
 *
 * @returns undefined if it is not text
 */
export function decoded(bytes: Uint8Array): Decoded | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  if (marked !== undefined) return { text: decodedAs(marked, bytes, false), encoding: marked };
  const head = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (bytes.includes(0) || BINARY.some((beginning) => head.startsWith(beginning))) return undefined;
  try {
    return { text: decodedAs("utf-8", bytes, true), encoding: "utf-8" };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: decodedAs("windows-1252", bytes, false), encoding: "windows-1252" };
  }
}

function decodedAs(encoding: string, bytes: Uint8Array, fatal: boolean): string {
  return new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
}
