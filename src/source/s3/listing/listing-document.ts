import { inMessage } from "../../../domain/in-message.ts";
import type { ListedObject } from "../../source.ts";
import { groups, ListingFault, twoDifferent } from "./listing-fault.ts";
import { decodeName, type NameEncoding } from "./name-encoding.ts";
import { decodeUrl } from "./url-encoding.ts";
import type { XmlReader } from "./xml.ts";

/** The request for a page. The page must not claim to answer another one. */
export interface Asked {
  prefix: string;
  /** The continuation token; empty for the first page and for ListObjects v1. */
  token: string;
  /** The marker of ListObjects v1; empty for its first page and for ListObjectsV2. */
  marker: string;
}

export const ROOT = "ListBucketResult";
export const ENTRY = "Contents";
const GROUP = "CommonPrefixes";

/** Elements that occur at most once in a page. */
export const PAGE_VALUES = [
  "Name",
  "Prefix",
  "Delimiter",
  "StartAfter",
  "Marker",
  "NextMarker",
  "ContinuationToken",
  "NextContinuationToken",
  "MaxKeys",
  "KeyCount",
  "EncodingType",
  "IsTruncated",
] as const;
type PageValue = (typeof PAGE_VALUES)[number];

/** Elements that occur at most once in an entry. Others may be repeated and are ignored. */
const ENTRY_VALUES = ["Key", "Size", "ETag", "LastModified", "StorageClass"] as const;
type EntryValue = (typeof ENTRY_VALUES)[number];
/** The values of an entry as they are in the document. */
type Entry = Partial<Record<EntryValue, string>>;

/** Elements that decide what the listing contains. In any other position they could be overlooked. */
const ONLY_IN_PLACE = new Set([ROOT, ENTRY, "IsTruncated", "NextContinuationToken", "NextMarker", "KeyCount"]);

const pageValues: ReadonlySet<string> = new Set(PAGE_VALUES);
const entryValues: ReadonlySet<string> = new Set(ENTRY_VALUES);
const inPage = spellings([...PAGE_VALUES, ENTRY, GROUP]);
const inEntry = spellings(ENTRY_VALUES);

/** Limits for a token and for other values, far above those of known servers. Many servers refuse longer request lines. */
const TOKEN_LETTERS = 8_192;
const VALUE_LETTERS = 1_024;

/**
 * Reads the document of a listing (Amazon S3 API Reference, ListObjectsV2 and ListObjects) strictly: everything that
 * could hide objects is a fault. Vendor-specific elements are ignored, because they hide nothing.
 */
export class ListingDocument implements XmlReader {
  #page: Partial<Record<PageValue, string>> = {};
  #entries: Entry[] = [];
  /** The namespace prefix of the document's elements, with its colon; usually empty. */
  #namespace = "";
  /** Whether the root element is that of a listing. */
  isListing = false;

  /** @throws ListingFault */
  open(names: readonly string[], textBefore: string): void {
    if (names.length === 1) this.#namespace = /^[^:]+:(?=ListBucketResult$)/.exec(names[0] ?? "")?.[0] ?? "";
    const path = this.#withoutNamespace(names);
    const [, first = "", second = ""] = path;
    if (path.length === 1) this.isListing = path[0] === ROOT;
    if (!this.isListing || path.length === 1) return;
    const isInEntry = first === ENTRY;
    if (path.length === 2 || (path.length === 3 && isInEntry)) refuseText(textBefore);
    if (path.length === 2 && !isEncodingType(first)) refuseOtherSpelling(first, inPage);
    if (path.length === 3 && isInEntry) refuseOtherSpelling(second, inEntry);
    if (path.length === 3 && first === GROUP) throw groups();
    const isOfPage = path.length === 3 && isPageValue(first);
    const isOfEntry = path.length === 4 && isInEntry && isEntryValue(second);
    if (isOfPage || isOfEntry) throw new ListingFault(`“${path.at(-2)}” contains elements instead of a value`);
    refuseOtherPlace(path);
    if (path.length === 2 && isInEntry) this.addEntry();
  }

  /** @throws ListingFault */
  close(names: readonly string[], text: string): void {
    const path = this.#withoutNamespace(names);
    const [, first = "", second = ""] = path;
    if (!this.isListing) return;
    if (path.length === 1 || (path.length === 2 && first === ENTRY)) refuseText(text);
    else if (path.length === 2 && first === GROUP && text !== "") throw groups();
    else if (path.length === 2 && isEncodingType(first)) this.addValue("EncodingType", text.trim().toLowerCase());
    else if (path.length === 2 && isPageValue(first)) this.addValue(first, text);
    else if (path.length === 3 && first === ENTRY && isEntryValue(second)) this.addEntryValue(second, text);
  }

  #withoutNamespace(names: readonly string[]): readonly string[] {
    const namespace = this.#namespace;
    return namespace === "" ? names : names.map((name) => (name.startsWith(namespace) ? local(name) : name));
  }

  /** Removes everything that was read. */
  clear(): void {
    this.#page = {};
    this.#entries = [];
    this.isListing = false;
  }

  /** @throws ListingFault if the page has the value already, or it is too long */
  addValue(name: PageValue, text: string): void {
    setOnce(this.#page, name, text, TOKEN_LETTERS);
  }

  /** Begins an entry. */
  addEntry(): void {
    this.#entries.push({});
  }

  /** Adds a value to the last entry. @throws ListingFault if the entry has it already, or it is too long */
  addEntryValue(name: EntryValue, text: string): void {
    const entry = this.#entries.at(-1);
    if (entry !== undefined) setOnce(entry, name, text, name === "Key" ? Number.POSITIVE_INFINITY : VALUE_LETTERS);
  }

  /** A value of the page; undefined if it is missing or empty. */
  value(name: PageValue): string | undefined {
    return this.#page[name] || undefined;
  }

  /** Whether the page states that its keys are URL-encoded. */
  get isEncoded(): boolean {
    return this.value("EncodingType") === "url";
  }

  /** The keys as they are in the document, each once. */
  rawKeys(): string[] {
    return [...new Set(this.#entries.map(({ Key = "" }) => Key))];
  }

  /**
   * Whether more pages follow, according to the document.
   * @throws ListingFault if the document is ambiguous, or answers a different request
   */
  isTruncated(asked: Asked): boolean {
    this.#compareWith(asked);
    const said = trimmed(this.value("IsTruncated"))?.toLowerCase();
    // All known servers use these two values. Any other value has no defined meaning.
    if (said !== "true" && said !== "false") throw new ListingFault("`IsTruncated` is neither true nor false");
    const goesOn = trimmed(this.value("NextContinuationToken") ?? this.value("NextMarker"));
    // A server that names a next page is asked for it, whatever it says besides. After the last one, it lists nothing.
    return said === "true" || (Boolean(goesOn) && this.#entries.length > 0);
  }

  /** The entries whose keys and sizes are usable, with their keys as they are in the document. */
  rawRows(): { raw: string; bytes: number; etag: string | null }[] {
    return this.#entries.flatMap(({ Key: raw = "", Size = "", ETag }) => {
      const size = trimmed(Size);
      return raw === "" || !/^\d{1,15}$/.test(size) ? [] : [{ raw, bytes: Number(size), etag: ETag || null }];
    });
  }

  /** The entries in the document's order. Identical entries are returned once. @throws ListingFault */
  rows({ prefix }: Pick<Asked, "prefix">, encoding: NameEncoding): ListedObject[] {
    const rows = new Map<string, ListedObject>();
    for (const entry of this.#entries) {
      const row = rowOf(entry, encoding);
      if (!row.key.startsWith(prefix)) {
        throw new ListingFault(`“${inMessage(row.key)}” does not begin with the requested prefix`);
      }
      const known = rows.get(row.key);
      if (known === undefined) rows.set(row.key, row);
      else if (!isSameObject(known, row)) throw twoDifferent(row.key);
    }
    return [...rows.values()];
  }

  /**
   * Compares the parameters that the page repeats with the request. The bucket's name is not compared: behind an alias, a gateway or
   * a tenant, servers state that of the real bucket. @throws ListingFault if one differs
   */
  #compareWith(asked: Asked): void {
    for (const [name, isExpected] of Object.entries(expectedEchoes(asked)) as [PageValue, Expected][]) {
      const said = this.value(name);
      // Some servers encode the values, others do not.
      if (said === undefined || isExpected(said) || (this.isEncoded && isExpected(decodeUrl(said)))) continue;
      throw new ListingFault(`its “${name}” differs from the request`);
    }
    const encoding = this.value("EncodingType");
    if (encoding !== undefined && encoding !== "url") throw new ListingFault("its “EncodingType” is unknown");
    const { length } = this.#entries;
    if (length === 0 && Number(this.value("MaxKeys")) <= 0) throw new ListingFault("its “MaxKeys” allows no keys");
    if (Number(this.value("KeyCount")) > length) {
      throw new ListingFault(`its “KeyCount” is greater than the number of its keys, ${length}`);
    }
  }
}

function rowOf({ Key: raw, Size, ETag, LastModified, StorageClass }: Entry, encoding: NameEncoding): ListedObject {
  const size = trimmed(Size);
  if (raw === undefined || raw === "") throw new ListingFault("an entry has no key");
  if (size === undefined || !/^\d{1,15}$/.test(size)) throw new ListingFault(`“${inMessage(raw)}” has no size`);
  return {
    key: decodeName(raw, encoding),
    bytes: Number(size),
    etag: ETag || null,
    lastModified: LastModified || null,
    storageClass: StorageClass || null,
  };
}

/** Whether an element is `EncodingType`. Some servers write it `Encoding-Type`, as the parameter of the request. */
function isEncodingType(name: string): boolean {
  return /^encoding-?type$/i.test(local(name));
}

type Expected = (said: string) => boolean;

/**
 * The parameters of the request that a page may repeat. A page for a shorter prefix, or one that names the key at which
 * it resumes, hides nothing. Servers may omit the padding of a Base64 token.
 */
function expectedEchoes({ prefix, token, marker }: Asked): Partial<Record<PageValue, Expected>> {
  const isContinued = token !== "";
  const unpadded = (text: string) => text.replace(/=+$/, "");
  return {
    Prefix: (said) => prefix.startsWith(said),
    ContinuationToken: (said) => unpadded(said) === unpadded(token),
    Marker: (said) => isContinued || said === marker,
    StartAfter: () => isContinued,
    Delimiter: () => false,
  };
}

/** Whether two rows have the same content, according to the listing. */
export function isSameObject(
  one: Pick<ListedObject, "bytes" | "etag">,
  other: Pick<ListedObject, "bytes" | "etag">,
): boolean {
  return one.bytes === other.bytes && one.etag === other.etag;
}

export function isPageValue(name: string): name is PageValue {
  return pageValues.has(name);
}

export function isEntryValue(name: string): name is EntryValue {
  return entryValues.has(name);
}

function spellings(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/** Refuses text other than white space (XML 1.0, section 2.3). */
function refuseText(text: string): void {
  if (/[^ \t\r\n]/.test(text)) throw new ListingFault("it has text between its elements");
}

/** Refuses an element that differs from a known one only in case or in a namespace prefix. */
function refuseOtherSpelling(name: string, known: ReadonlyMap<string, string>): void {
  const meant = known.get(local(name).toLowerCase());
  if (meant !== undefined && meant !== name) throw new ListingFault(`it has the element “${inMessage(name)}”`);
}

function refuseOtherPlace(path: readonly string[]): void {
  const name = path.at(-1) ?? "";
  const isMisplaced = ONLY_IN_PLACE.has(local(name)) && (path.length !== 2 || name === ROOT);
  // Entries may contain metadata with arbitrary names.
  const isStrayKey = local(name) === "Key" && path[1] !== ENTRY;
  if (isMisplaced || isStrayKey) throw new ListingFault(`“${local(name)}” occurs in an unexpected position`);
}

/** Without the white space of XML around it. */
function trimmed<Text extends string | undefined>(text: Text): Text {
  return text?.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "") as Text;
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function setOnce<Name extends string>(
  values: Partial<Record<Name, string>>,
  name: Name,
  text: string,
  letters: number,
): void {
  if (values[name] === text) return;
  if (values[name] !== undefined) throw new ListingFault(`“${name}” occurs twice`);
  if (text.length > letters) throw new ListingFault(`“${name}” is longer than ${letters} characters`);
  values[name] = text;
}
