import { ListingFault } from "./listing-fault.ts";
import { decodeUrl } from "./url-encoding.ts";

/**
 * How a listing encodes keys. `none`: not at all. `plus`: percent-encoded, and `+` is a space (Amazon S3, MinIO).
 * `percent`: percent-encoded, and `+` is a plus sign.
 */
export const NAME_ENCODINGS = ["plus", "percent", "none"] as const;
export type NameEncoding = (typeof NAME_ENCODINGS)[number];

/** What a page shows about the encoding of its keys. */
export interface NameEvidence {
  /** The encodings under which the page is valid; the most probable one first. */
  possible: NameEncoding[];
  /** Whether the first one needs no further proof. */
  isCertain: boolean;
  /** Whether it is proven for other pages, too. */
  isProven: boolean;
}

/** Keys whose decoding depends on the encoding. */
const MARKED = /[%+]/;
/** Encoders encode these, because XML cannot contain them or URLs cannot. */
const NEVER_ENCODED = /[\x00-\x20\x7f]|%(?![0-9A-Fa-f]{2})/;
const ENCODED = /%[0-9A-Fa-f]{2}/g;

/** Decodes a key. @throws ListingFault if it is not encoded like this */
export function decodeName(raw: string, encoding: NameEncoding): string {
  if (encoding === "none") return raw;
  return decodeUrl(encoding === "plus" ? raw : raw.replaceAll("+", "%2B"));
}

/** Whether a key is the same under every encoding. */
export function isUnmarked(raw: string): boolean {
  return !MARKED.test(raw);
}

/**
 * Judges by the keys of a page how they are encoded. Each encoding under which a key cannot be decoded, does not begin with
 * the prefix, or equals another key is excluded. The echo of the prefix is no evidence, because many servers encode only keys.
 *
 * @param raw keys as they are in the document, without duplicates
 * @param isStated whether the document has `EncodingType` `url`
 */
export function judgeNames(raw: readonly string[], prefix: string, isStated: boolean): NameEvidence {
  const marked = raw.filter((key) => !isUnmarked(key));
  const likely: NameEncoding[] = isStated ? ["plus", "percent", "none"] : ["none", "percent", "plus"];
  if (marked.length === 0) return { possible: likely.slice(0, 1), isCertain: true, isProven: false };
  const possible = likely.filter((encoding) => fits(raw, prefix, encoding));
  const isRaw = raw.some((key) => NEVER_ENCODED.test(key));
  const [first] = possible;
  if (isStated && first !== "none" && first !== undefined && !isRaw) return judgeStated(marked, possible);
  if (!isStated && isRaw && possible.includes("none")) return { possible: ["none"], isCertain: true, isProven: true };
  // A server that states the encoding and does not encode must prove it.
  const isCertain = possible.length === 1 && !(isStated && first === "none");
  return { possible, isCertain, isProven: isCertain };
}

/** The server encodes keys, but `+` may have two meanings. An encoded space or plus sign shows which. */
function judgeStated(marked: readonly string[], possible: NameEncoding[]): NameEvidence {
  const tokens = new Set(marked.flatMap((key) => key.match(ENCODED) ?? []).map((token) => token.toUpperCase()));
  const hasPlus = marked.some((key) => key.includes("+"));
  const meaning = tokens.has("%2B") === tokens.has("%20") ? undefined : tokens.has("%2B") ? "plus" : "percent";
  if (!hasPlus) return { possible, isCertain: true, isProven: false };
  if (meaning !== undefined && possible.includes(meaning))
    return { possible: [meaning], isCertain: true, isProven: true };
  return { possible, isCertain: false, isProven: false };
}

function fits(raw: readonly string[], prefix: string, encoding: NameEncoding): boolean {
  if (encoding === "none") return raw.every((key) => key.startsWith(prefix));
  const decoded = new Set<string>();
  try {
    for (const key of raw) {
      const name = decodeName(key, encoding);
      if (!name.startsWith(prefix) || decoded.has(name)) return false;
      decoded.add(name);
    }
  } catch (error) {
    if (error instanceof ListingFault) return false;
    throw error;
  }
  return true;
}
