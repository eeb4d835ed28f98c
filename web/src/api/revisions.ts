import { type components, orThrow } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { api, untilAnswered } from "./client.ts";

export type Revision = components["schemas"]["MetadataRevision"];
export type MetadataMembers = Record<string, unknown>;

/** Metadata as they were sent, with the revision that has them. */
export interface MetadataState extends Revision {
  metadata: MetadataMembers;
  /** Names this state in a later change (RFC 9110, section 8.8.3). */
  etag: string;
}

/** The metadata of a version as they were sent. @param revision undefined for the latest */
export function metadataStateQuery(id: string, version?: number, revision?: number) {
  return queryOptions({
    queryKey: ["dataset", id, "state", version, revision],
    queryFn: ({ signal }) => fetchState(id, untilAnswered(signal), version, revision),
    // A revision never changes.
    ...(version !== undefined && revision !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
  });
}

async function fetchState(
  id: string,
  signal: AbortSignal | null,
  version?: number,
  revision?: number,
): Promise<MetadataState> {
  const query = { ...(version !== undefined && { version }), ...(revision !== undefined && { revision }) };
  const answer = await api.GET("/dataset/{id}/metadata", { params: { path: { id }, query }, signal });
  return stateOf(orThrow(answer), answer.response);
}

/** The metadata revisions of a version, newest first. */
export function revisionsQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ["dataset", id, "revisions", version],
    queryFn: async ({ signal }) =>
      orThrow(
        await api.GET("/dataset/{id}/revisions", {
          params: { path: { id }, query: { version } },
          signal: untilAnswered(signal),
        }),
      ),
  });
}

/**
 * Replaces the metadata, unless they were changed since `etag`.
 * @returns the new state; the earlier one if the change is recorded and not archived yet
 * @throws ProblemError such as `metadata_conflict` and `dataset_busy`
 */
export async function changeMetadata(
  id: string,
  change: { metadata: MetadataMembers; note: string },
  etag: string,
): Promise<MetadataState> {
  const params = { path: { id }, header: { "if-match": etag } };
  const { metadata, note } = change;
  const body = { metadata: metadata as never, ...(note !== "" && { note }) };
  const answer = await api.PUT("/dataset/{id}/metadata", { params, body });
  return stateOf(orThrow(answer), answer.response);
}

function stateOf(view: Revision & { metadata: unknown }, { headers }: Response): MetadataState {
  return { ...view, metadata: view.metadata as MetadataMembers, etag: headers.get("etag") ?? "" };
}
