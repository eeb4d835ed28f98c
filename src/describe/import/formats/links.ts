import type { IdentifierType, RelationType } from "../../../../packages/rules/src/index.ts";
import { recognizedIdentifier } from "../../metadata/values/identifier.ts";
import { withoutEnd } from "../names/beside-name.ts";

/** The maximum that the schema allows. */
const LONGEST_IDENTIFIER = 1_000;
/** Longer texts are searched up to here. */
const LONGEST_CITATION = 10_000;

/** Hosts that serve their repositories under the same path by https. */
const HOSTS = "github.com|gitlab.com|bitbucket.org|codeberg.org";
/** Addresses for version control: “git+https://…”, “git@github.com:owner/name.git”, “github:owner/name”. */
const GIT_ADDRESSES: readonly [RegExp, string][] = [
  [/^(?:scm:)?(?:git|hg|svn)[+:](?=https?:\/\/)/i, ""],
  [new RegExp(String.raw`^(?:(?:scm:)?git[+:])?(?:ssh|git):\/\/(?:git@)?(${HOSTS})[/:]`, "i"), "https://$1/"],
  [new RegExp(`^(?:scm:git:)?git@(${HOSTS}):`, "i"), "https://$1/"],
  [/^(github|gitlab):(?=[\w.-]+\/[\w.-]+$)/i, "https://$1.com/"],
];

/** An identifier within a text, and the characters that end a sentence around it. */
const WITHIN: readonly RegExp[] = [
  /(?<![\w.])10\.\d{4,9}\/[^\s"<>]{1,500}/g,
  /\b(?:arxiv:\s?\d{4}\.\d{4,5}(?:v\d+)?|pmid:\s?\d{1,9})\b/gi,
  /\bhttps?:\/\/[^\s"<>]{1,500}/gi,
];

interface FoundIdentifier {
  identifier: string;
  type: IdentifierType;
}

/** An identifier whose form states its type, such as the address of a DOI; undefined for other texts. */
export function identifierIn(text: string | undefined): FoundIdentifier | undefined {
  if (text === undefined || text.length > LONGEST_IDENTIFIER) return undefined;
  return recognizedIdentifier(
    GIT_ADDRESSES.reduce((stated, [form, address]) => stated.replace(form, address), text.trim()),
  );
}

/** The identifier in a text as one of the dataset, if its form states its type. */
export function alternateIdentifier(text: string | undefined) {
  const known = identifierIn(text);
  return known && { alternateIdentifier: known.identifier, alternateIdentifierType: known.type };
}

/** The only DOI, other identifier or address within a citation; undefined if there is none, or several. */
export function identifierWithin(citation: string | undefined): FoundIdentifier | undefined {
  for (const pattern of WITHIN) {
    const texts = citation?.slice(0, LONGEST_CITATION).match(pattern) ?? [];
    const found = texts.flatMap((text) => identifierIn(sentenceless(text)) ?? []);
    const distinct = new Set(found.map(({ identifier }) => identifier));
    if (distinct.size > 0) return distinct.size === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** An identifier without the punctuation of the sentence. A bracket belongs to it if it is opened in it. */
function sentenceless(text: string): string {
  const plain = withoutEnd(text, ".,;:'’”");
  const isOpened = plain.includes("(") || !plain.endsWith(")");
  return isOpened ? plain : sentenceless(plain.slice(0, -1));
}

/**
 * A related resource with one of the texts that is an identifier, or with a citation. DOIs are preferred to other
 * identifiers, and these to addresses of pages. Undefined if there is neither.
 */
export function relatedTo(relationType: RelationType, texts: (string | undefined)[], citation?: string) {
  const found = texts.flatMap((text) => identifierIn(text) ?? []);
  const within = identifierWithin(citation);
  const identifier =
    found.find(({ type }) => type === "DOI") ?? found.find(({ type }) => type !== "URL") ?? found[0] ?? within;
  if (identifier === undefined && citation === undefined) return undefined;
  const { identifier: relatedIdentifier, type: relatedIdentifierType } = identifier ?? {};
  return { relationType, relatedIdentifier, relatedIdentifierType, citation };
}

/** A person in a citation: “Family, Given”, or the only part of the name that is stated. */
export function citedName(family: string | undefined, given: string | undefined): string | undefined {
  return family !== undefined && given !== undefined ? `${family}, ${given}` : (family ?? given);
}

/** Most authors that a citation names. */
const MOST_CITED = 20;

/** A citation of the parts that are given: “Carberry, J; Toth, C (2008): Title. Journal, 5(2), 1–10”. Undefined without title. */
export function citationOf(stated: {
  authors: (string | undefined)[];
  year?: string | undefined;
  title?: string | undefined;
  source?: string | undefined;
  volume?: string | undefined;
  issue?: string | undefined;
  /** The first and the last page. */
  pages?: (string | undefined)[];
}): string | undefined {
  if (stated.title === undefined) return undefined;
  const named = stated.authors.filter((author) => author !== undefined);
  const authors = [...named.slice(0, MOST_CITED), ...(named.length > MOST_CITED ? ["et al."] : [])].join("; ");
  const year = stated.year === undefined ? "" : ` (${stated.year})`;
  const start = authors === "" && year === "" ? "" : `${authors}${year}: `.trimStart();
  const title = /[.!?]$/.test(stated.title) ? stated.title : `${stated.title}.`;
  const issue = stated.issue === undefined ? "" : `(${stated.issue})`;
  const volume = `${stated.volume ?? ""}${issue}` || undefined;
  const pages = stated.pages?.filter((page) => page !== undefined).join("–") || undefined;
  const source = [stated.source, volume, pages].filter((part) => part !== undefined).join(", ");
  return `${start}${title}${source === "" ? "" : ` ${source}`}`;
}
