import { ProblemError } from "@accession/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { queries } from "../api/queries.ts";
import { changeMetadata, type MetadataMembers, type MetadataState, metadataStateQuery } from "../api/revisions.ts";

const POLL_MS = 1_000;

/** Saves a change once, however often the button is pressed, waits until it is archived, and opens the dataset. */
export function useSaving(id: string, onArchived: () => void) {
  const [, navigate] = useLocation();
  const hasStarted = useRef(false);
  const saving = useMutation({
    mutationFn: ({ metadata, note, base }: { metadata: MetadataMembers; note: string; base: MetadataState }) =>
      changeMetadata(id, { metadata, note }, base.etag),
    gcTime: 0,
    onError: (error) => {
      hasStarted.current = false;
      // Shows who has changed the metadata in the meantime.
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: ["dataset", id] });
    },
  });
  const { error, variables, data } = saving;
  // The response to a change that is recorded and not archived yet has the earlier metadata.
  const isWaiting = data !== undefined && data.etag === variables?.base.etag;
  const { data: watched } = useQuery({ ...metadataStateQuery(id), enabled: isWaiting, refetchInterval: POLL_MS });
  const isArchived = data !== undefined && (!isWaiting || (watched !== undefined && watched.etag !== data.etag));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dataset is opened once.
  useEffect(() => {
    if (!isArchived) return;
    onArchived();
    void queries.resetQueries({ queryKey: ["dataset", id] });
    void queries.invalidateQueries({ queryKey: ["datasets"] });
    navigate(`/datasets/${id}`);
  }, [isArchived]);
  return {
    save(metadata: MetadataMembers, note: string, base: MetadataState) {
      if (hasStarted.current) return;
      hasStarted.current = true;
      saving.mutate({ metadata, note, base });
    },
    isSaving: saving.isPending || saving.isSuccess,
    isWaiting,
    error,
    rejected: error === null || variables === undefined ? undefined : { error, metadata: variables.metadata },
    forget: () => saving.reset(),
  };
}

/** Whether a change was refused because others have changed the metadata. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ProblemError && error.problem.code === "metadata_conflict";
}
