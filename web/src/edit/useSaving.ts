import { ProblemError } from "@accession/client";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { isOfNetwork, queries } from "../api/queries.ts";
import { changeMetadata, type MetadataMembers, type MetadataState } from "../api/revisions.ts";

/** The pause before the page asks again whether a change is archived, and before it repeats a request without a response. */
const PAUSE_MS = 1_000;
/** The number of times that a request without a response is repeated. */
const REPETITIONS = 4;

interface Change {
  metadata: MetadataMembers;
  note: string;
  base: MetadataState;
}

/** Saves a change once, however often the button is pressed, waits until it is archived, and opens the dataset. */
export function useSaving(id: string, onArchived: () => void) {
  const [, navigate] = useLocation();
  const hasStarted = useRef(false);
  const hasLeft = useRef(false);
  const [isRecorded, setRecorded] = useState(false);
  const saving = useMutation({
    mutationFn: (change: Change) => saveUntilArchived(id, change, () => setRecorded(true), hasLeft),
    gcTime: 0,
    // The service recognises a repeated change.
    retry: (failures, error) => isOfNetwork(error) && failures < REPETITIONS && !hasLeft.current,
    retryDelay: PAUSE_MS,
    onError: (error) => {
      hasStarted.current = false;
      setRecorded(false);
      // Shows who has changed the metadata in the meantime.
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: ["dataset", id] });
    },
  });
  useEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
    };
  }, []);
  const { error, variables, isSuccess } = saving;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dataset is opened once.
  useEffect(() => {
    if (!isSuccess) return;
    onArchived();
    void queries.resetQueries({ queryKey: ["dataset", id] });
    void queries.invalidateQueries({ queryKey: ["datasets"] });
    navigate(`/datasets/${id}`);
  }, [isSuccess]);
  return {
    save(change: Change) {
      if (hasStarted.current) return;
      hasStarted.current = true;
      saving.mutate(change);
    },
    isSaving: saving.isPending || isSuccess,
    /** The change is recorded, and not archived yet. */
    isRecorded,
    error,
    rejected: error === null || variables === undefined ? undefined : { error, metadata: variables.metadata },
    forget: () => saving.reset(),
  };
}

/**
 * Sends a change until the service answers that it is archived: a repetition joins the recorded change, and fails if another
 * one has replaced it.
 */
async function saveUntilArchived(
  id: string,
  { metadata, note, base }: Change,
  onRecorded: () => void,
  hasLeft: { current: boolean },
): Promise<void> {
  while (!hasLeft.current) {
    const { etag } = await changeMetadata(id, { metadata, note }, base.etag);
    if (etag !== base.etag) return;
    onRecorded();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Whether a change was refused because others have changed the metadata. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ProblemError && error.problem.code === "metadata_conflict";
}
