import { useQuery } from "@tanstack/react-query";
import type { Publication } from "../api/publications.ts";
import { revisionsQuery } from "../api/revisions.ts";

/**
 * Whether a person has changed the metadata of a version since a revision. The service writes a revision after publication, which
 * changes no metadata.
 */
export function useChangedSince({ dataset, version, revision }: Publication, before: number): boolean {
  const { data = [] } = useQuery({ ...revisionsQuery(dataset, version), enabled: before < revision });
  return before < revision && data.some((one) => one.revision > before && one.changedBy !== "");
}
