import { type components, orThrow } from "@accession/client";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { api, fetchAsCaller, SERVICE_URL } from "./client.ts";
import { queries } from "./queries.ts";
import { isOver, nextCursor, type Status } from "./submissions.ts";

export type File = components["schemas"]["File"];
export type FileState = File["state"];

/** Which files of a submission are wanted. */
export interface FileFilter {
  state: FileState | undefined;
  /** Beginning of the path. */
  prefix: string;
}

/** Files that are asked for at once. */
export const FILES_PAGE = 200;
/** Pages that were scrolled away are fetched again when somebody comes back: memory stays small however many there are. */
const KEPT_MS = 5_000;
const LOOK_MS = 5_000;

/** A page of files whose beginning is known; `length` once it was seen. */
interface Page {
  cursor: string;
  length?: number;
}

/** Files as far as they are known, for a list of which only a part is seen. */
export interface Files {
  /** How many rows there are to scroll through now, those included that are still being fetched. */
  rows: number;
  /** Whether these are all. */
  isWhole: boolean;
  /** Undefined while it is being fetched. */
  at(row: number): File | undefined;
  error: Error | null;
}

/**
 * The files of a submission around the rows that are seen: a page after the other, the more the further one scrolls.
 *
 * @param seen first and last row
 * @param status of the submission: while it is open files change, and when it changes they are looked at anew
 */
export function useFiles(id: string, filter: FileFilter, seen: [number, number], status: Status): Files {
  const isOpen = !isOver(status);
  const [pages, setPages] = useState<readonly Page[]>([{ cursor: "" }]);
  const first = Math.min(Math.floor(seen[0] / FILES_PAGE), pages.length - 1);
  const last = Math.min(Math.floor(seen[1] / FILES_PAGE), pages.length - 1);
  const shown = pages.slice(first, last + 1);
  const found = useQueries({
    queries: shown.map(({ cursor }) => ({
      ...filesQuery(id, filter, cursor),
      refetchInterval: isOpen ? LOOK_MS : (false as const),
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
    setPages((known) => found.pages.reduce((all, page, index) => learn(all, first + index, page), known));
  }, [found.pages, first]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another status, other files.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["files", id] });
  }, [id, status]);
  const end = pages.at(-1)?.length;
  return {
    rows: (pages.length - 1) * FILES_PAGE + (end ?? FILES_PAGE),
    isWhole: end !== undefined,
    at: (row) => found.pages[Math.floor(row / FILES_PAGE) - first]?.files[row % FILES_PAGE],
    error: found.error,
  };
}

interface FilesPage {
  files: File[];
  next: string | undefined;
}

function filesQuery(id: string, filter: FileFilter, cursor: string) {
  return queryOptions({
    queryKey: ["files", id, filter, cursor],
    queryFn: ({ signal }) => fetchFiles(id, filter, { cursor, limit: FILES_PAGE, signal }),
    gcTime: KEPT_MS,
  });
}

async function fetchFiles(
  id: string,
  { state, prefix }: FileFilter,
  { cursor, limit, signal }: { cursor: string; limit: number; signal: AbortSignal },
): Promise<FilesPage> {
  const query = {
    limit,
    ...(state !== undefined && { state }),
    ...(prefix !== "" && { prefix }),
    ...(cursor !== "" && { cursor }),
  };
  const answer = await api.GET("/submission/{id}/files", { params: { path: { id }, query }, signal });
  return { files: orThrow(answer) as File[], next: nextCursor(answer.response) };
}

/** A page that was seen tells where the next one begins, or that there is none. */
function learn(pages: readonly Page[], number: number, page: FilesPage | undefined): readonly Page[] {
  const known = pages[number];
  if (known === undefined || page === undefined) return pages;
  const { files, next } = page;
  const follows = pages[number + 1]?.cursor;
  if (follows === next && (next !== undefined || known.length === files.length)) return pages;
  const before = pages.slice(0, number);
  if (next === undefined) return [...before, { cursor: known.cursor, length: files.length }];
  return [...before, { cursor: known.cursor }, { cursor: next }];
}

/** The service takes no more keys at once. */
const MOST_UNREADABLE = 100_000;

/** Keys of all objects that cannot be read and that nobody has decided on. */
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
      return found.map(({ key, error }) => ({ key, message: error?.message ?? "" }));
    },
    gcTime: 0,
    staleTime: 0,
  });
}

/** All files that a filter lets through, as a table for other programs. */
export async function fetchCsv(id: string, { state, prefix }: FileFilter): Promise<Blob> {
  const query = new URLSearchParams({ ...(state !== undefined && { state }), ...(prefix !== "" && { prefix }) });
  const address = new URL(`submission/${encodeURIComponent(id)}/files?${query}`, SERVICE_URL);
  return fetchBytes(new Request(address, { headers: { accept: "text/csv" } }));
}

/** Bytes for the disk. @throws ProblemError */
async function fetchBytes(request: Request): Promise<Blob> {
  const response = await fetchAsCaller(request);
  return response.ok ? response.blob() : orThrow({ error: await response.json(), response });
}
