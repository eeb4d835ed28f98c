import { type Client, type components, orThrow } from "@accession/client";
import { queryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, SERVICE_URL, untilAnswered } from "./client.ts";
import { pagesQuery } from "./queries.ts";
import { type QueryState, useQueryState } from "./service.ts";

export type Dataset = components["schemas"]["Dataset"];

export type DatasetFile = components["schemas"]["DatasetFile"];

export type Version = components["schemas"]["Version"];

export type Tombstone = components["schemas"]["Tombstone"];

export type WithdrawnPublication = components["schemas"]["WithdrawnPublication"];

/** A package format for download. */
export type Package = "ro-crate" | "bagit";

/** Archived versions never change. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

const PAGE = 50;
/** Files per request. */
const FILES_PAGE = 1_000;
/** More files are not kept in the page: from here on, the beginning of a path says which are wanted. */
export const MOST_FILES = 100_000;

/** Pages of datasets, newest first. @param q words to find in title, description, authors and keywords */
export function datasetsQuery(q: string) {
  return pagesQuery(["datasets", q], (page, signal) => {
    const query = { limit: PAGE, ...(q !== "" && { q }), ...page };
    return api.GET("/dataset", { params: { query }, signal: untilAnswered(signal) });
  });
}

/** A dataset and its versions. */
export function datasetQuery(id: string) {
  return queryOptions({
    queryKey: ["dataset", id],
    queryFn: async ({ signal }) =>
      orThrow(await api.GET("/dataset/{id}", { params: { path: { id } }, signal: untilAnswered(signal) })),
  });
}

/** The files of a version whose names are not possible on every system; null if the user may not see the files. */
export function unpackingQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ["dataset", id, version, "unpacking"],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { version } };
      const answer = await api.GET("/dataset/{id}/unpacking", { params, signal });
      return answer.response.status === 403 ? null : orThrow(answer);
    },
    ...FOREVER,
  });
}

/** The permanent address of a file, a folder or a package of a version. It requires permission. */
export function addressOf(id: string, version: number, wanted: { path: string } | { format: Package }): string {
  const below =
    "path" in wanted ? `files/${wanted.path.split("/").map(encodeURIComponent).join("/")}` : `export/${wanted.format}`;
  return `${SERVICE_URL}dataset/${id}/${below}?version=${version}`;
}

/** The files of a version whose path begins so, a page after the other. */
function filesQuery(id: string, version: number, prefix: string) {
  return {
    ...pagesQuery(["dataset", id, version, "files", prefix], (page, signal) => {
      const query = { version, limit: FILES_PAGE, ...(prefix !== "" && { prefix }), ...page };
      return api.GET("/dataset/{id}/files", { params: { path: { id }, query }, signal });
    }),
    ...FOREVER,
    // Comparing data that never changes would take longer than fetching it.
    structuralSharing: false,
  };
}

/** The files of a version, as far as they are known. */
interface Files {
  files: readonly DatasetFile[];
  /** False while there are more to come, and where there are too many to keep. */
  isComplete: boolean;
  isCut: boolean;
  trouble: QueryState | undefined;
}

/** Fetches the complete list of files page by page; the fetched part is usable meanwhile. */
export function useFiles(id: string, version: number, { prefix = "", enabled = true } = {}): Files {
  const query = useInfiniteQuery({ ...filesQuery(id, version, prefix), enabled });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;
  const trouble = useQueryState(query);
  const files = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const isCut = hasNextPage && files.length >= MOST_FILES;
  const goesOn = enabled && hasNextPage && !isCut && !isFetching && error === null;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { files, isComplete: data !== undefined && !hasNextPage, isCut, trouble };
}

/** An address from which the browser saves a file, a folder or a package once, without the credentials of the client. */
export async function downloadLink(
  client: Client,
  id: string,
  version: number,
  body: { path: string } | { format: Package },
): Promise<string> {
  const params = { path: { id }, query: { version } };
  const { url } = orThrow(await client.POST("/dataset/{id}/download-link", { params, body }));
  return new URL(url, SERVICE_URL).href;
}
