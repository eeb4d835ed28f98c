import { ENTRY, isEntryValue, isPageValue, type ListingDocument, ROOT } from "./listing-document.ts";
import { ListingFault } from "./listing-fault.ts";
import { decodeXml, readXml } from "./xml.ts";

/** The beginning of a listing as servers write it. */
const START =
  /^(?:<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"(?:UTF|utf)-8"|'(?:UTF|utf)-8'))?(?: standalone=(?:"yes"|"no"))? ?\?>)?[ \t\n]*<ListBucketResult(?: xmlns=(?:"[^"<&]*"|'[^'<&]*'))?>/;
/** Number of bytes after which the beginning is complete. */
const START_BYTES = 400;
/** The beginning of {@link START}. */
const SHORT_START = /^(?:$|<$|<\?|[ \t\n]+$|[ \t\n]*<L)/;
/** Longer documents are parsed as they arrive, so that no page blocks the thread. Pages of 1,000 keys have about 0.4 MB. */
const MAX_SCANNED_BYTES = 2 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
/** Characters that XML forbids or changes. */
const SPECIAL = /[\x00-\x08\x0b-\x1f\ufffe\uffff]|\]\]>/;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&quot;": '"', "&#34;": '"', "&apos;": "'", "&#39;": "'" },
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">" },
};
const ENTITY = /&(?:quot|apos|amp|lt|gt|#34|#39);/g;
/** Elements of an entry without meaning for the listing. */
const IGNORED = new Set(["Owner", "ChecksumAlgorithm", "ChecksumType", "Type", "Generation", "MetaGeneration"]);
const OWNER_VALUES = new Set(["ID", "DisplayName"]);

/**
 * Reads the document of a listing. A document of the usual form, with elements in any order but without attributes, comments
 * and unknown elements, is read by {@link Scanner}, in a quarter of the time. All others, and all faulty ones, are read as XML.
 * The result is the same.
 *
 * @returns the name of the root element
 * @throws XmlError, ListingFault; errors of `chunks`
 */
export async function readListing(chunks: AsyncIterable<Uint8Array>, document: ListingDocument): Promise<string> {
  const iterator = chunks[Symbol.asyncIterator]();
  const received = new GrowingBytes();
  let failure: { error: unknown } | undefined;
  let isComplete = false;
  // Other documents are judged as they arrive, because their end might not arrive.
  while (!isComplete && failure === undefined && mayBePlain(received.bytes)) {
    try {
      const { value, done } = await iterator.next();
      if (done === true) isComplete = true;
      else received.add(value);
    } catch (error) {
      failure = { error };
    }
  }
  if (isComplete) {
    if (scan(received.bytes, document)) return ROOT;
    document.clear();
  }
  const all = async function* () {
    yield received.bytes;
    if (failure !== undefined) throw failure.error;
    if (isComplete) return;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return readXml(all(), document);
}

function mayBePlain(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, START_BYTES);
  const isStart = START.test(start) || (bytes.length < START_BYTES && SHORT_START.test(start));
  return isStart && bytes.length <= MAX_SCANNED_BYTES;
}

/** Bytes that arrive in pieces of any size, in one buffer. */
class GrowingBytes {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }
}

/** Adds the values to the document. Returns false if the text is not plain, or has a fault, which the XML parser will name. */
function scan(bytes: Buffer, document: ListingDocument): boolean {
  const text = decodeXml(bytes);
  const start = text === undefined ? undefined : START.exec(text)?.[0];
  if (text === undefined || start === undefined || SPECIAL.test(text)) return false;
  try {
    return scanPage(new Scanner(text, start.length), document);
  } catch (error) {
    if (error instanceof ListingFault) return false;
    throw error;
  }
}

/** Reads the rest of the document, after its first tag. Returns false if it is not plain. @throws ListingFault */
function scanPage(scanner: Scanner, document: ListingDocument): boolean {
  document.isListing = true;
  while (!scanner.skip(`</${ROOT}>`)) {
    if (scanner.skip(`<${ENTRY}>`)) {
      document.addEntry();
      if (!scanEntry(scanner, document)) return false;
      continue;
    }
    const name = scanner.readName();
    const value = scanner.readValue(name);
    if (value === undefined || !isPageValue(name)) return false;
    document.addValue(name, value);
  }
  return scanner.isAtEnd();
}

/** Reads an entry to its end. Returns false if it is not plain. @throws ListingFault */
function scanEntry(scanner: Scanner, document: ListingDocument): boolean {
  while (!scanner.skip(`</${ENTRY}>`)) {
    const name = scanner.readName();
    if (name === "Owner" && !scanner.isEmpty) {
      if (!skipOwner(scanner)) return false;
      continue;
    }
    const value = scanner.readValue(name);
    if (value === undefined) return false;
    if (isEntryValue(name)) document.addEntryValue(name, name === "Key" ? copyOf(value) : value);
    else if (!IGNORED.has(name)) return false;
  }
  return true;
}

function skipOwner(scanner: Scanner): boolean {
  while (!scanner.skip("</Owner>")) {
    const name = scanner.readName();
    if (!OWNER_VALUES.has(name) || scanner.readValue(name) === undefined) return false;
  }
  return true;
}

/** Reads tags without attributes, and the texts between them, from a position on. */
class Scanner {
  readonly #text: string;
  #at: number;
  #isEmpty = false;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Whether the last start tag is that of an empty element: `<Name/>`. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Skips white space, then this tag. Returns false if another text follows. */
  skip(tag: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(tag, this.#at)) return false;
    this.#at += tag.length;
    return true;
  }

  /** Reads a start tag. Returns the name; the text of the tag if it is not a plain one. */
  readName(): string {
    const end = this.#text.indexOf(">", this.#at);
    if (this.#text[this.#at] !== "<" || end < 0) return "";
    this.#isEmpty = this.#text[end - 1] === "/";
    const name = this.#text.slice(this.#at + 1, this.#isEmpty ? end - 1 : end);
    this.#at = end + 1;
    return this.#isEmpty ? name.replace(/[ \t\n]+$/, "") : name;
  }

  /** Reads the text of the opened element, and its end tag. Undefined if it has other content. */
  readValue(name: string): string | undefined {
    if (this.#isEmpty || name === "") return name === "" ? undefined : "";
    const end = this.#text.indexOf("<", this.#at);
    const value = this.#text.slice(this.#at, end);
    this.#at = end;
    if (end < 0 || !this.#text.startsWith("</", end) || !this.#text.startsWith(name, end + 2)) return undefined;
    this.#at += 2 + name.length;
    if (this.#text[this.#at++] !== ">") return undefined;
    return value.includes("&") ? decodeEntities(value) : value;
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      // Space, line feed, tab.
      if (code !== 0x20 && code !== 0x0a && code !== 0x09) return;
      this.#at++;
    }
  }
}

/** Undefined if the text has other entities. */
function decodeEntities(text: string): string | undefined {
  const rest = text.replace(ENTITY, "");
  return rest.includes("&") ? undefined : text.replace(ENTITY, (entity) => ENTITIES[entity] ?? "");
}

/** A copy. A part of a string refers to the whole string, here the document, and some keys are kept for long. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
