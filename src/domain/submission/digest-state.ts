/** A list of digests that a submission uses. */
export interface UsedDigestList {
  /** The name of the file, or its key. */
  name: string;
  /** Where it is: in the request, in the source, or in the source as the manifest of a bag. */
  origin: "request" | "source" | "bag";
  /** Number of digests. */
  entries: number;
  /** The ETag of a list in the source, when it was read. */
  etag?: string | null;
  /** SHA-512 of a list in the source, in lower-case hex. Missing if it was read by an earlier version of the service. */
  sha512?: string;
}

/** A list of digests in the source that a submission names, or that it has found. */
export interface UnreadDigestList {
  /** Its key. */
  name: string;
  origin: Exclude<UsedDigestList["origin"], "request">;
}

/** Number of files, and the first of them by key. */
export interface NamedFiles {
  total: number;
  keys: string[];
}

/** The files of the lists, compared with those of the complete listing. */
export interface DigestComparison {
  /** Number of listed files that the selection contains. */
  files: number;
  /** Number of listed files that the selection leaves out. */
  notSelected: number;
  /** Files of the lists that the source does not have. */
  missing: NamedFiles;
  /** Files of the source that no list names, without the lists themselves and the tag files of a bag. */
  additional: NamedFiles;
}

/** The lists of digests of a submission. Null in the database for a submission without lists. */
export interface DigestState {
  /** Whether the manifests of a bag are used. */
  usesBag: boolean;
  lists: UsedDigestList[];
  /** The lists in the source that this attempt has not read; absent in states of earlier versions. */
  unread?: UnreadDigestList[];
  /** How often lists in the source were begun to be read. */
  readings: number;
  /** The reading that is complete, and its attempt; 0 if the submission needs none, or has none yet. */
  reading: number;
  attempt: number;
  /** The folder of the recognised bag, empty or with a slash at the end; null if there is none. */
  bag: string | null;
  /** Null until the listing is complete. */
  comparison: DigestComparison | null;
  /** Number of excluded objects whose digest differs; absent before the first one is excluded. */
  differingExcluded?: number;
}

/** Maximum number of missing, and of additional files that are named. */
export const MOST_NAMED_FILES = 100;

export function noFiles(): NamedFiles {
  return { total: 0, keys: [] };
}

/** Counts a file, and names it if it is one of the first. */
export function nameFile(files: NamedFiles, key: string): void {
  files.total++;
  if (files.keys.length < MOST_NAMED_FILES) files.keys.push(key);
}

/** The state of a submission whose request has these lists. @param keys those of the lists in the source that it names */
export function newDigestState(lists: UsedDigestList[], usesBag: boolean, keys: readonly string[] = []): DigestState {
  const unread = keys.map((name): UnreadDigestList => ({ name, origin: "source" }));
  return { usesBag, lists, unread, readings: 0, reading: 0, attempt: 0, bag: null, comparison: null };
}

/** The state for a new attempt: lists in the source are read again, and a bag must be found again. */
export function renewedDigestState({ usesBag, lists, unread = [], readings }: DigestState): DigestState {
  const sent = lists.filter(({ origin }) => origin === "request");
  const named = [...lists, ...unread].filter(({ origin }) => origin === "source");
  return { ...newDigestState(sent, usesBag, [...new Set(named.map(({ name }) => name))]), readings };
}

/** The lists that this attempt has not read. An earlier version of the service leaves those that it has read. */
export function unreadLists({ lists, unread = [] }: DigestState): UnreadDigestList[] {
  const read = new Set(lists.filter(({ origin }) => origin !== "request").map(({ name }) => name));
  return unread.filter(({ name }) => !read.has(name));
}

/**
 * Number of objects whose digest differs, and that were not excluded. They are failed objects, so that there are no more than these:
 * earlier versions of the service do not record how many were excluded.
 */
export function openDifferences(row: {
  objects_differing: number;
  objects_failed: number;
  digests: DigestState | null;
}): number {
  const { objects_differing: differing, objects_failed: failed, digests } = row;
  return Math.max(0, Math.min(failed, differing - (digests?.differingExcluded ?? 0)));
}
