import { type components, nextCursor, orThrow } from "@accession/client";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, SERVICE_URL, untilAnswered } from "./client.ts";

export type Dataset = components["schemas"]["Dataset"];

export type Version = components["schemas"]["Version"];

export type Tombstone = components["schemas"]["Tombstone"];

export type WithdrawnPublication = components["schemas"]["WithdrawnPublication"];

/** A metadata format for export. */
type Description = "datacite-json" | "csl" | "bibtex" | "ris";

/** A package format for download. */
export type Package = "ro-crate" | "bagit";

/** Archived versions never change. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

const PAGE = 50;

/** Pages of datasets, newest first. @param q words to find in title, description, authors and keywords */
export function datasetsQuery(q: string) {
  return infiniteQueryOptions({
    queryKey: ["datasets", q],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(q !== "" && { q }), ...(pageParam !== "" && { cursor: pageParam }) };
      const answer = await api.GET("/dataset", { params: { query }, signal: untilAnswered(signal) });
      return { datasets: orThrow(answer), next: nextCursor(answer.response) };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
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

/** The metadata of a version in an export format, as text. */
export function descriptionQuery(id: string, version: number, format: Description) {
  return queryOptions({
    queryKey: ["dataset", id, version, format],
    queryFn: async ({ signal }) => {
      const params = { path: { id, format }, query: { version } };
      return orThrow(await api.GET("/dataset/{id}/export/{format}", { params, parseAs: "text", signal }));
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
