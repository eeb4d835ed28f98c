import { type components, orThrow } from "@accession/client";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, untilAnswered } from "../api/client.ts";
import { queries } from "../api/queries.ts";

export type Collection = components["schemas"]["Collection"];
export type CollectionContent = components["schemas"]["CollectionContent"];

/** All collections, by their English names. */
export const collectionsQuery = queryOptions({
  queryKey: ["collections"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/collections", { signal: untilAnswered(signal) })),
  staleTime: 60_000,
});

/** A collection as it is now, with the tag that names its state in a condition (RFC 9110, section 8.8.3). */
export function collectionQuery(id: string) {
  return queryOptions({
    queryKey: ["collections", id],
    queryFn: async ({ signal }) => {
      const answer = await api.GET("/collections/{id}", { params: { path: { id } }, signal: untilAnswered(signal) });
      return { collection: orThrow(answer), etag: answer.response.headers.get("etag") ?? "" };
    },
    // What is edited must be what is stored.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Creates a collection, or replaces the state that the tag names. */
export function useSave(onDone: () => void) {
  return useMutation({
    mutationFn: async ({ id, body, etag }: { id: string; body: CollectionContent; etag: string | undefined }) => {
      const header = etag === undefined ? {} : { "if-match": etag };
      orThrow(await api.PUT("/collections/{id}", { params: { path: { id }, header }, body }));
    },
    onSuccess: () => changed(onDone),
  });
}

/** Deletes a collection. Its datasets stay published. */
export function useDelete(onDone: () => void) {
  return useMutation({
    mutationFn: async (id: string) => {
      orThrow(await api.DELETE("/collections/{id}", { params: { path: { id } } }));
    },
    onSuccess: () => changed(onDone),
  });
}

async function changed(onDone: () => void): Promise<void> {
  await queries.invalidateQueries({ queryKey: collectionsQuery.queryKey, exact: true });
  onDone();
}
