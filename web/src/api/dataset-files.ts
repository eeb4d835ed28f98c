import { type components, nextCursor, orThrow } from "@accession/client";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api } from "./client.ts";
import { type QueryState, useQueryState } from "./service.ts";

export type DatasetFile = components["schemas"]["DatasetFile"];

const PAGE = 1_000;
/** More files are not kept in the page: from here on, the beginning of a path says which are wanted. */
export const MOST_FILES = 100_000;

/** The files of a version whose path begins so, a page after the other. */
function filesQuery(id: string, version: number, prefix: string) {
  return infiniteQueryOptions({
    queryKey: ["dataset", id, version, "files", prefix],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        version,
        limit: PAGE,
        ...(prefix !== "" && { prefix }),
        ...(pageParam !== "" && { cursor: pageParam }),
      };
      const answer = await api.GET("/dataset/{id}/files", { params: { path: { id }, query }, signal });
      return { files: orThrow(answer), next: nextCursor(answer.response) };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing data that never changes would take longer than fetching it.
    structuralSharing: false,
  });
}

/** The files of a version, as far as they are known. */
export interface Files {
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
  const files = useMemo(() => data?.pages.flatMap((page) => page.files) ?? [], [data]);
  const isCut = hasNextPage && files.length >= MOST_FILES;
  const goesOn = enabled && hasNextPage && !isCut && !isFetching && error === null;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { files, isComplete: data !== undefined && !hasNextPage, isCut, trouble };
}
