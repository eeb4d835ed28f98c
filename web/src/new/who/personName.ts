import type { Person } from "../draft.ts";

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
