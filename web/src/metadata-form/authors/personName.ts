import type { Person } from "../entries/entries.ts";

type Name = Pick<Person, "firstName" | "lastName">;

/** `Carberry, Josiah`, `Carberry; Josiah` or `Josiah Carberry`; marks of notes behind it are no part of it. */
export function ofName(text: string): Name {
  const name = text.replace(/[\d*†‡§¹²³]+/g, "").trim();
  const [last = "", first] = name.split(/[,;]/).map((part) => part.trim());
  if (first !== undefined) return { firstName: first, lastName: last };
  const words = last.split(/\s+/);
  return { firstName: words.slice(0, -1).join(" "), lastName: words.at(-1) ?? "" };
}

const INSTITUTION =
  /universi|institut|college|school|cent(er|re|rum)|zentrum|hospital|klinik|department|abteilung|laborator|academy|akademie|society|gesellschaft|museum|library|bibliothe|agency|ministr|faculty|fakult|hochschule|foundation|stiftung|research|[ée]cole|laboratoire|soci[ée]t[ée]|\b(gmbh|ag|inc|ltd|llc|cnrs|cern)\b|e\. ?v\./i;

/** Whether a text is made as people's names are, and not as institutions', roles, mail addresses or degrees. */
export function isLikeName(text: string): boolean {
  return /^[\p{L}\p{M}'’.\- ]+$/u.test(text.trim()) && wordsOf(text) <= 5 && !INSTITUTION.test(text);
}

export function wordsOf(text: string): number {
  return text.trim().split(/\s+/).length;
}

/** Splits a line of several names into one text per name; undefined if the line describes one author. */
export function splitList(line: string, isAlone: boolean): string[] | undefined {
  const parts = splitOutside(line, /;/g);
  if (parts.length > 1) return areNames(parts, isAlone) ? parts : undefined;
  const joined = splitOutside(line, /,?\s+(?:and|und|et)\s+|,?\s*&\s*/g);
  // As BibTeX has it: `Doe, Jane and Smith, John`.
  if (joined.length > 1 && joined.every(isTurned)) return joined;
  const pieces = joined.flatMap((part) => splitOutside(part, /,/g)).filter((piece) => !/^[\d*†‡§¹²³]+$/.test(piece));
  const isList = joined.length > 1 || pieces.length > 2 || (isAlone && pieces.length === 2);
  return isList ? ofPieces(pieces) : undefined;
}

/** The names between commas: full names, or alternating last and first names. */
function ofPieces(pieces: string[]): string[] | undefined {
  const isFull = pieces.map((piece) => wordsOf(bare(piece)) > 1 && !startsWithParticle(piece));
  if (pieces.every((piece) => isLikeName(bare(piece))) && isFull.every((one) => one)) return pieces;
  if (pieces.length % 2 === 0 && pieces.length > 2 && isFull.filter((one) => one).length < pieces.length / 2 + 1) {
    return pieces.flatMap((last, index) => (index % 2 === 0 ? [`${last}, ${pieces[index + 1]}`] : []));
  }
  const names = pieces.filter((piece, index) => isFull[index] && isLikeName(bare(piece)));
  return names.length > 1 ? pieces : undefined;
}

/** The parts between semicolons: several authors, or several facts about one author. */
function areNames(parts: string[], isAlone: boolean): boolean {
  if (parts.every(isTurned)) return true;
  return isAlone && parts.every((part) => isLikeName(bare(part)) && wordsOf(bare(part)) > 1);
}

/** `Doe, Jane` */
function isTurned(text: string): boolean {
  const halves = bare(text).split(",");
  return halves.length === 2 && halves.every((half) => half.trim() !== "" && isLikeName(half));
}

function startsWithParticle(text: string): boolean {
  return /^(van|von|vom|zu|zur|de|del|della|der|den|di|da|dos|du|la|le|ter|ten|af|av)\s/.test(text.trim());
}

/** The text without ORCID iDs, without text in brackets, and without footnote marks. */
function bare(text: string): string {
  return text.replace(/\([^)]*\)|<[^>]*>|(https?:\/\/\S+)|[\dX-]{19}|[\d*†‡§¹²³]+/g, "").trim();
}

/** Splits a text at a separator outside brackets. */
export function splitOutside(text: string, mark: RegExp): string[] {
  const masked = text.replace(/\([^)]*\)|<[^>]*>/g, (inside) => "_".repeat(inside.length));
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: found } of masked.matchAll(mark)) {
    parts.push(text.slice(from, index));
    from = index + found.length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}
