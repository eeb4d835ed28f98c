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
    canHave: hasWords,
    canBe: (line) => hasWords(line.slice(START.length, line.indexOf(END))) || isOdd(line),
  };
}

/**
 * Whether a text contains each of the words, regardless of case, and of how accents are written (NFC as usual, NFD as by macOS). Unlike with
 * `toLowerCase`, long texts are not copied.
 * @param written how a word is written in the text
 */
export function containsAll(
  words: readonly string[],
  written: (word: string) => string = (word) => word,
): (text: string) => boolean {
  const patterns = words.map((word) => {
    const forms = new Set([word, word.normalize("NFC"), word.normalize("NFD")]);
    return new RegExp([...forms].map((form) => literal(written(form))).join("|"), "iu");
  });
  return (text) => patterns.every((pattern) => pattern.test(text));
}

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
