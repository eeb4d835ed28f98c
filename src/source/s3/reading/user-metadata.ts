import type { ResponseMetadata } from "../../source.ts";

/** User metadata of an object, by names without `x-amz-meta-`. */
type UserMetadata = Pick<ResponseMetadata, "userMetadata" | "userMetadataBytes">;

const PREFIX = "x-amz-meta-";
/** An encoded word (RFC 2047, section 2), with the language of RFC 2231. */
const ENCODED_WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=/i;
const { source: WORD } = ENCODED_WORD;
const ENCODED_WORDS = new RegExp(`(?<=^|[\\t ])${WORD}(?:[\\t ]+${WORD})*(?=$|[\\t ])`, "gi");

/**
 * The user metadata in the headers of a response. Servers send text outside of ASCII as UTF-8 (Ceph, older MinIO), as encoded words
 * of RFC 2047 (Amazon S3), or in Latin-1.
 *
 * @param headers by lower-case names; each character of a value is one byte (Latin-1)
 */
export function userMetadataOf(headers: Readonly<Record<string, string>>): UserMetadata {
  const texts: [string, string][] = [];
  const uncertain: [string, string][] = [];
  for (const header in headers) {
    if (!header.startsWith(PREFIX)) continue;
    const name = header.slice(PREFIX.length);
    const value = headers[header] ?? "";
    const { text, isCertain } = decoded(value);
    texts.push([name, text]);
    if (!isCertain) uncertain.push([name, Buffer.from(value, "latin1").toString("base64")]);
  }
  return {
    ...(texts.length > 0 && { userMetadata: Object.fromEntries(texts) }),
    ...(uncertain.length > 0 && { userMetadataBytes: Object.fromEntries(uncertain) }),
  };
}

/** The text of a value. It is certain if the value is plain ASCII, or UTF-8, which other text resembles only by a rare chance. */
function decoded(value: string): { text: string; isCertain: boolean } {
  if (/^[\t\x20-\x7e]*$/.test(value)) {
    const text = value.includes("=?") ? withoutEncodedWords(value) : value;
    return { text, isCertain: text === value };
  }
  const text = textOf("utf-8", Buffer.from(value, "latin1"));
  return text === undefined ? { text: value, isCertain: false } : { text, isCertain: true };
}

/** Decodes the encoded words of a value. Those that cannot be decoded stay as they are. */
function withoutEncodedWords(value: string): string {
  // White space between two encoded words does not count (RFC 2047, section 6.2).
  return value.replaceAll(ENCODED_WORDS, (source) => textOfWords(source.split(/[\t ]+/)) ?? source);
}

/** The bytes of successive words are decoded together, because some servers divide them within a character. */
function textOfWords(words: string[]): string | undefined {
  const parts: { charset: string; bytes: Buffer[] }[] = [];
  for (const word of words) {
    const [, charset = "", encoding = "", content = ""] = ENCODED_WORD.exec(word) ?? [];
    const bytes = bytesOf(encoding, content);
    const last = parts.at(-1);
    if (last?.charset === charset) last.bytes.push(bytes);
    else parts.push({ charset, bytes: [bytes] });
  }
  const texts = parts.map(({ charset, bytes }) => textOf(charset, Buffer.concat(bytes)));
  return texts.includes(undefined) ? undefined : texts.join("");
}

/** The bytes of an encoded word (RFC 2047, section 4). */
function bytesOf(encoding: string, content: string): Buffer {
  if (encoding.toLowerCase() === "b") return Buffer.from(content, "base64");
  const unescaped = content.replaceAll("_", " ").replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return Buffer.from(unescaped, "latin1");
}

/** The text of bytes; undefined if they are no text in this charset. A database can store no NUL. */
function textOf(charset: string, bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    // RangeError: an unknown charset. TypeError: bytes that are not valid in it.
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
