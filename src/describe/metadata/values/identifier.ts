import { type IdentifierType, identifierTypes } from "../../../../packages/rules/src/index.ts";

/** An identifier in canonical form, with its type. */
export interface Identifier {
  identifier: string;
  type: IdentifierType;
}

/** ISO 26324: the directory indicator 10, a registrant code, and a suffix of printable characters. */
const DOI = /^10\.\d{4,9}(?:\.\d+)*\/[^\s\p{Cc}]+$/u;
const DOI_PREFIX = /^(?:(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/|doi:\s*|doi\s+)/i;

/**
 * The DOI `10.1234/abc`, in lower case because DOIs do not distinguish case, given as such, as an address at doi.org or
 * with `doi:`; undefined if it is not one.
 */
export function canonicalDoi(text: string): string | undefined {
  const stated = text.trim();
  const isAddress = /^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\//i.test(stated);
  const bare = stated.replace(DOI_PREFIX, "");
  const doi = (isAddress ? percentDecoded(bare.replace(/[?#].*$/s, "")) : bare).toLowerCase();
  return doi !== undefined && DOI.test(doi) ? doi : undefined;
}

/** An http(s) address in canonical form; undefined if it is not one, or contains credentials. */
export function canonicalUrl(text: string): string | undefined {
  const stated = text.trim();
  if (!/^https?:\/\/[^\s]+$/i.test(stated) || !URL.canParse(stated)) return undefined;
  const url = new URL(stated);
  return url.username === "" && url.password === "" && url.hostname !== "" ? url.href : undefined;
}

/** The rules of every type. Each returns the canonical form, or undefined if the text is not of this type. */
const forms: Record<IdentifierType, (text: string) => string | undefined> = {
  ARK: matching(/^(?:https?:\/\/[^/\s]+\/)?(ark:\/?\d{5,}\/\S+)$/i),
  arXiv: (text) => {
    const [, id] = /^(?:https?:\/\/(?:www\.)?arxiv\.org\/(?:abs|pdf)\/|arxiv:\s*)?(.+?)(?:\.pdf)?$/i.exec(text) ?? [];
    return id !== undefined && /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/.test(id)
      ? `arXiv:${id}`
      : undefined;
  },
  bibcode: matching(/^([12]\d{3}[A-Za-z&.]{5}[A-Za-z0-9.]{9}[A-Z.])$/),
  CSTR: matching(/^(?:https?:\/\/(?:www\.)?cstr\.cn\/|cstr:)?(\d{5}\.\d{2}\.\S+)$/i),
  DOI: canonicalDoi,
  EAN13: (text) => checkedDigits(text, 13),
  EISSN: issn,
  Handle: matching(/^(?:https?:\/\/hdl\.handle\.net\/|hdl:)?(\d[\d.]*\/\S+)$/i),
  IGSN: matching(/^(?:https?:\/\/igsn\.org\/|igsn:)?([A-Za-z0-9./-]{4,})$/i),
  ISBN: isbn,
  ISSN: issn,
  ISTC: matching(/^([0-9A-F]{3}-?\d{4}-?[0-9A-F]{8}-?[0-9A-F])$/i),
  LISSN: issn,
  LSID: matching(/^(urn:lsid:[^\s:]+:[^\s:]+:[^\s:]+(?::[^\s:]+)?)$/i),
  PMID: matching(/^(?:https?:\/\/pubmed\.ncbi\.nlm\.nih\.gov\/|pmid:\s*)?(\d{1,9})\/?$/i),
  PURL: canonicalUrl,
  RAiD: matching(/^((?:https?:\/\/(?:raid\.org|doi\.org)\/)?10\.\d{4,9}\/\S+)$/i),
  RRID: matching(/^(?:rrid:\s*)?([A-Za-z]+_[A-Za-z0-9_:-]+)$/i, (id) => `RRID:${id}`),
  SWHID: matching(
    /^(?:https?:\/\/archive\.softwareheritage\.org\/)?(swh:1:(?:cnt|dir|rel|rev|snp):[0-9a-f]{40}(?:;\S+)?)$/,
  ),
  UPC: (text) => checkedDigits(text, 12),
  URL: canonicalUrl,
  URN: matching(/^(urn:[a-z0-9][a-z0-9-]{0,31}:\S+)$/i),
  w3id: matching(/^((?:https?:\/\/)?(?:www\.)?w3id\.org\/\S+)$/i),
};

/** Types that a text states by its own form, the most specific first. */
const RECOGNIZED: readonly [IdentifierType, RegExp][] = [
  ["DOI", /^(?:10\.\d{4,}|doi:|doi\s|(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/10\.)/i],
  ["arXiv", /^(?:arxiv:|https?:\/\/(?:www\.)?arxiv\.org\/(?:abs|pdf)\/)/i],
  ["PMID", /^(?:pmid:|https?:\/\/pubmed\.ncbi\.nlm\.nih\.gov\/\d)/i],
  ["Handle", /^(?:hdl:|https?:\/\/hdl\.handle\.net\/)/i],
  ["ARK", /^ark:/i],
  ["SWHID", /^swh:1:/],
  ["RRID", /^rrid:/i],
  ["CSTR", /^cstr:/i],
  ["LSID", /^urn:lsid:/i],
  ["URN", /^urn:/i],
  ["w3id", /^https?:\/\/(?:www\.)?w3id\.org\//i],
  ["URL", /^https?:\/\//i],
  ["ISBN", /^(?:isbn\b|97[89][\d -]{10,14}$)/i],
  ["ISSN", /^(?:issn\b|\d{4}-\d{3}[\dX]$)/i],
];

/** The identifier in the canonical form of a type, or undefined if it does not have its form. */
export function identifierOf(type: IdentifierType, text: string): string | undefined {
  return forms[type](text.trim());
}

/** The identifier with the type that its form states, such as the address of a DOI; undefined if it states none. */
export function recognizedIdentifier(text: string): Identifier | undefined {
  const stated = text.trim();
  for (const [type, pattern] of RECOGNIZED) {
    const identifier = pattern.test(stated) ? identifierOf(type, stated) : undefined;
    if (identifier !== undefined) return { identifier, type };
  }
  return undefined;
}

/** Whether a text is a known type of identifier. For parsers of other formats. */
export function isIdentifierType(text: string): text is IdentifierType {
  return (identifierTypes as readonly string[]).includes(text);
}

function matching(form: RegExp, write: (id: string) => string = (id) => id): (text: string) => string | undefined {
  return (text) => {
    const [, id] = form.exec(text) ?? [];
    return id === undefined ? undefined : write(id);
  };
}

/** ISO 3297: eight characters whose weighted sum is divisible by 11. */
function issn(text: string): string | undefined {
  const [, first, last] = /^(?:e?issn:?\s*)?(\d{4})-?(\d{3}[\dX])$/i.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const digits = `${first}${last.toUpperCase()}`;
  const sum = Array.from(digits).reduce((total, digit, index) => total + valueOfDigit(digit) * (8 - index), 0);
  return sum % 11 === 0 ? `${first}-${last.toUpperCase()}` : undefined;
}

/** ISO 2108: thirteen digits with the check digit of EAN-13, or ten with a weighted sum divisible by 11. */
function isbn(text: string): string | undefined {
  const digits = text
    .replace(/^isbn(?:-1[03])?:?\s*/i, "")
    .replace(/[\s-]/g, "")
    .toUpperCase();
  if (/^97[89]\d{10}$/.test(digits)) return checkedDigits(digits, 13);
  if (!/^\d{9}[\dX]$/.test(digits)) return undefined;
  const sum = Array.from(digits).reduce((total, digit, index) => total + valueOfDigit(digit) * (10 - index), 0);
  return sum % 11 === 0 ? digits : undefined;
}

/** Digits with the check digit of GS1: weights 1 and 3 from the right. */
function checkedDigits(text: string, length: number): string | undefined {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d+$/.test(digits) || digits.length !== length) return undefined;
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0 ? digits : undefined;
}

function valueOfDigit(digit: string): number {
  return digit === "X" ? 10 : Number(digit);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A text with a lone percent sign is already decoded.
    return text;
  }
}
