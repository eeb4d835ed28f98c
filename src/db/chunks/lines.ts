import { fold, withoutUmlauts } from "../../domain/submission/search.ts";
import { readObject, splitLines } from "./chunk-text.ts";
import type { ObjectRecord } from "./objects.ts";

/** The stored form of a chunk. */
export interface ChunkText {
  first_seq: number;
  objects: string;
}

/** Which objects of a chunk are read. */
export interface Wanted {
  /** Whether the text of a chunk can have a line that is wanted. */
  canHave?: (chunk: string) => boolean;
  /** Whether the object of a line can be wanted. */
  canBe: (line: string) => boolean;
  /** The sequence number after which objects are wanted. */
  after: number;
}

/** Stored objects of a chunk that can be wanted. Other lines are not parsed, which would take most of the time. */
export function* storedIn(chunk: ChunkText, { canHave, canBe, after }: Wanted): Generator<ObjectRecord> {
  if (canHave?.(chunk.objects) === false) return;
  const lines = splitLines(chunk.objects);
  for (let at = Math.max(0, after + 1 - chunk.first_seq); at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (!canBe(line)) continue;
    const object = readObject(line, chunk.first_seq + at);
    if (object.state === "stored") yield object;
  }
}

/** How a line begins, before the key (`chunk-text.ts`). */
const START = '{"k":"';
/** The text that follows the key. A key does not contain it, because quotation marks in it are escaped. */
const END = '","b":';

/** Objects that can be in a folder itself. @param folder with a slash at the end; empty for objects without a folder */
export function directlyIn(folder: string): Pick<Wanted, "canBe"> {
  const start = START + inJson(folder);
  const isIn = (line: string) => line.startsWith(start) && !line.slice(start.length, line.indexOf(END)).includes("/");
  // Objects whose path is not `data/` + key are all in a folder with such a name.
  return { canBe: folder.startsWith("%keys") ? (line) => isIn(line) || isOdd(line) : isIn };
}

/** Objects whose paths can contain each of the words, regardless of case. */
export function withWords(words: readonly string[]): Pick<Wanted, "canBe" | "canHave"> {
  const hasWords = containsAll(words, inJson);
  return {
    // Folding a whole chunk takes longer than its lines, most of which have no other characters.
    canHave: (chunk) => NOT_ASCII.test(chunk) || hasWords(chunk),
    canBe: (line) => hasWords(line.slice(START.length, line.indexOf(END))) || isOdd(line),
  };
}

/**
 * Whether a text contains each of the words, regardless of case and accents, as in the catalogue: `Böden` is found by `boden` and by
 * `boeden`. Long texts of ASCII characters, which are usual, are not copied.
 * @param written how a word is written in the text
 */
export function containsAll(
  words: readonly string[],
  written: (word: string) => string = (word) => word,
): (text: string) => boolean {
  const sought = words.map((word) => {
    const forms = [...new Set([fold(word), fold(withoutUmlauts(word))])].filter((form) => form !== "").map(written);
    return { forms, pattern: new RegExp(forms.map(literal).join("|"), "i") };
  });
  // Such as an accent alone.
  if (sought.some(({ forms }) => forms.length === 0)) return () => false;
  return (text) => {
    if (!NOT_ASCII.test(text)) return sought.every(({ pattern }) => pattern.test(text));
    const folded = foldFast(text);
    const missing = sought.filter(({ forms }) => !forms.some((form) => folded.includes(form)));
    if (missing.length === 0) return true;
    if (!UMLAUT.test(text)) return false;
    const spelled = foldFast(withoutUmlauts(text));
    return missing.every(({ forms }) => forms.some((form) => spelled.includes(form)));
  };
}

/** The folded form of characters, which are few in a dataset: folding them again takes most of the time of a search. */
const FOLDED = new Map<string, string>();
const MOST_FOLDED = 20_000;

function foldFast(text: string): string {
  return text.toLowerCase().replace(/[^\0-\x7f]/gu, (character) => {
    const known = FOLDED.get(character);
    if (known !== undefined) return known;
    const folded = fold(character);
    if (FOLDED.size < MOST_FOLDED) FOLDED.set(character, folded);
    return folded;
  });
}

/** Also as letters with a combining diaeresis. */
const UMLAUT = /[äöüÄÖÜ]|\u0308/u;
const NOT_ASCII = /[^\0-\x7f]/;

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Whether the path of an object may not be `data/` + key. */
function isOdd(line: string): boolean {
  return line.includes('"p":"');
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
