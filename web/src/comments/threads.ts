import type { Place, PublicationEntry } from "../api/publications.ts";

/** An entry of the history with what belongs to it. */
export interface Thread {
  entry: PublicationEntry;
  /** Answers to it, answers to these, and that it was resolved or reopened; oldest first. */
  answers: PublicationEntry[];
}

/** Arranges a history, oldest first, by what its entries answer. */
export function threadsOf(history: readonly PublicationEntry[]): Thread[] {
  const threads: Thread[] = [];
  const threadOf = new Map<number, Thread>();
  for (const entry of history) {
    const known = entry.answers === null ? undefined : threadOf.get(entry.answers);
    const thread = known ?? { entry, answers: [] };
    if (known === undefined) threads.push(thread);
    else known.answers.push(entry);
    threadOf.set(entry.id, thread);
  }
  return threads;
}

/** Whether a thread is a comment that is not resolved. */
export function isOpen({ entry }: Thread): boolean {
  return entry.resolved === false && entry.action === "comment";
}

/** A member of the metadata, or a file or folder, at which comments are shown. */
export type Spot = { member: string } | { file: string };

/** Whether a place belongs to a spot: the member itself or an entry of it, or this very file or folder. */
export function isAt(place: Place | null, spot: Spot): boolean {
  if (place === null) return false;
  if ("file" in spot) return "file" in place && withoutSlash(place.file) === withoutSlash(spot.file);
  return memberOf(place) === spot.member;
}

/** The member of the metadata that a place is, or belongs to; undefined for files. */
export function memberOf(place: Place | null): string | undefined {
  return place !== null && "field" in place ? place.field.split("/")[1] : undefined;
}

/** The number of threads about a file, or about a folder and what is in it. */
export function countIn(threads: readonly Thread[], path: string): number {
  return threads.filter(({ entry: { place } }) => {
    if (place === null || !("file" in place)) return false;
    const file = withoutSlash(place.file);
    return file === path || file.startsWith(`${path}/`);
  }).length;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}
