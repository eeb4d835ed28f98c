import { type components, isOver, nextCursor, orThrow, type Submission } from "@accession/client";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { api, fetchAsCaller, SERVICE_URL, untilAnswered } from "./client.ts";
import { queries, refetchUntilHealthy } from "./queries.ts";

export type File = components["schemas"]["File"];
export type FileState = File["state"];

/** Which files of a submission are wanted. */
export interface FileFilter {
  state: FileState | undefined;
  /** Beginning of the path. */
  prefix: string;
}

/** Files per request. */
const FILES_PAGE = 200;
/** The maximum number of rows: browsers cannot display much higher lists. */
export const MOST_ROWS = 300_000;
/** Pages outside the visible area are dropped and fetched again when needed, to limit memory. */
const KEPT_MS = 5_000;
const LOOK_MS = 5_000;

/** The start of a page of files: an index in the listing, or the cursor after the previous page. */
type Start = { from: number } | { cursor: string };

/** The known files, for a list of which only a part is visible. */
interface Files {
  /** The number of rows, including those that are still being fetched. */
  rows: number;
  /** Whether these are all. */
  isWhole: boolean;
  /** Undefined while it is being fetched. */
  at(row: number): File | undefined;
  error: Error | null;
}

/**
 * The files of a submission around the visible rows. Without a filter, any row can be fetched directly; with one, pages
 * are fetched in order.
 *
 * @param seen first and last row
 * @param submission files are fetched again while it is active, and when its status changes
 */
export function useFiles(submission: Submission, filter: FileFilter, seen: [number, number]): Files {
  const { id, status } = submission;
  const isOpen = !isOver(status);
  const [walked, setWalked] = useState<Walked>({ cursors: [""] });
  const listed = filter.state === undefined && filter.prefix === "" ? submission.progress.objectsListed : undefined;
  const pages = listed === undefined ? walked.cursors.length : Math.max(1, Math.ceil(listed / FILES_PAGE));
  const startOf = (page: number): Start =>
    listed === undefined ? { cursor: walked.cursors[page] ?? "" } : { from: page * FILES_PAGE };
  const first = Math.min(Math.floor(seen[0] / FILES_PAGE), pages - 1);
  const last = Math.min(Math.floor(seen[1] / FILES_PAGE), pages - 1);
  const found = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, index) => ({
      ...filesQuery(id, filter, startOf(first + index)),
      refetchInterval: refetchUntilHealthy(() => isOpen && LOOK_MS),
      staleTime: isOpen ? LOOK_MS : Number.POSITIVE_INFINITY,
    })),
    combine: useCallback(
      (results: { data: FilesPage | undefined; error: Error | null }[]) => ({
        pages: results.map(({ data }) => data),
        error: results.find(({ error }) => error !== null)?.error ?? null,
      }),
      [],
    ),
  });
  useEffect(() => {
    setWalked((known) => found.pages.reduce((all, page, index) => walkOn(all, first + index, page), known));
  }, [found.pages, first]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another status, other files.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["files", id] });
  }, [id, status]);
  const rows = listed ?? (pages - 1) * FILES_PAGE + (walked.lastLength ?? FILES_PAGE);
  return {
    rows,
    isWhole: listed !== undefined || walked.lastLength !== undefined,
    at: (row) => found.pages[Math.floor(row / FILES_PAGE) - first]?.files[row % FILES_PAGE],
    error: found.error,
  };
}

interface FilesPage {
  files: File[];
  next: string | undefined;
}

function filesQuery(id: string, filter: FileFilter, start: Start) {
  return queryOptions({
    queryKey: ["files", id, filter, start],
    queryFn: ({ signal }) => fetchFiles(id, filter, { ...start, limit: FILES_PAGE, signal }),
    gcTime: KEPT_MS,
  });
}

async function fetchFiles(
  id: string,
  { state, prefix }: FileFilter,
  { signal, ...page }: Start & { limit: number; signal: AbortSignal },
): Promise<FilesPage> {
  const query = {
    ...(state !== undefined && { state }),
    ...(prefix !== "" && { prefix }),
    ...(!("cursor" in page && page.cursor === "") && page),
    limit: page.limit,
  };
  const params = { path: { id }, query };
  const answer = await api.GET("/submission/{id}/files", { params, signal: untilAnswered(signal) });
  return { files: orThrow(answer) as File[], next: nextCursor(answer.response) };
}

/** The pages fetched in order: the cursor of each, and the length of the last page once it is known. */
interface Walked {
  cursors: readonly string[];
  lastLength?: number;
}

/** Adds the cursor of the next page, or notes that there is none. */
function walkOn(walked: Walked, number: number, page: FilesPage | undefined): Walked {
  if (page === undefined || number >= walked.cursors.length) return walked;
  const { files, next } = page;
  const known = walked.cursors.slice(0, number + 1);
  if (next === undefined) {
    const isKnown = known.length === walked.cursors.length && walked.lastLength === files.length;
    return isKnown ? walked : { cursors: known, lastLength: files.length };
  }
  return walked.cursors[number + 1] === next ? walked : { cursors: [...known, next] };
}

/** The service takes no more keys at once. */
const MOST_UNREADABLE = 100_000;

/** An object that cannot be read, and why. */
export interface Unreadable {
  key: string;
  code: string | undefined;
  /** In English. */
  message: string;
}

/** All objects that cannot be read and are not excluded. */
export function unreadableQuery(id: string) {
  return queryOptions({
    queryKey: ["unreadable", id],
    queryFn: async ({ signal }) => {
      const found: File[] = [];
      for (let cursor: string | undefined = ""; cursor !== undefined && found.length < MOST_UNREADABLE; ) {
        const page = await fetchFiles(id, { state: "failed", prefix: "" }, { cursor, limit: 1_000, signal });
        found.push(...page.files);
        cursor = page.next;
      }
      return found.map(({ key, error }): Unreadable => ({ key, code: error?.code, message: error?.message ?? "" }));
    },
    gcTime: 0,
    staleTime: 0,
  });
}

/** All files that a filter lets through, as a table for other programs. */
export async function fetchCsv(id: string, { state, prefix }: FileFilter): Promise<Blob> {
  const query = new URLSearchParams({ ...(state !== undefined && { state }), ...(prefix !== "" && { prefix }) });
  return fetchTable(id, `files?${query}`);
}

/** All files of the checksum lists that the data source does not have, with their checksums, as a table. */
export async function fetchMissingCsv(id: string): Promise<Blob> {
  return fetchTable(id, "missing");
}

/** Bytes for the disk. @throws ProblemError */
async function fetchTable(id: string, place: string): Promise<Blob> {
  const address = new URL(`submission/${encodeURIComponent(id)}/${place}`, SERVICE_URL);
  const response = await fetchAsCaller(new Request(address, { headers: { accept: "text/csv" } }));
  return response.ok ? response.blob() : orThrow({ error: await response.json(), response });
}
