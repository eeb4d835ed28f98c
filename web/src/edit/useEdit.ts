import { isSame } from "@accession/rules";
import { useCallback, useEffect, useMemo } from "react";
import { placeOfDraft } from "../api/browser/storage.ts";
import type { MetadataState } from "../api/revisions.ts";
import { useEntrySetters } from "../metadata-form/context.ts";
import { DraftStore, useStoredDraft } from "../metadata-form/drafts/draft-store.ts";
import { completeEntries, type MetadataEntries } from "../metadata-form/entries/entries.ts";
import { editableEntries, editedMetadata } from "./edited-metadata.ts";
import { rebase } from "./rebase.ts";

/** The entries of an edit, which the browser stores after each change. @param latest the current metadata of the dataset */
export function useEdit(place: string, latest: MetadataState) {
  const stored = useStoredDraft(
    () => editStore(place),
    useCallback(() => newEdit(latest), [latest]),
  );
  const { draft: edit, setDraft: setEdit, kept, follow, isDone } = stored;
  const { base, entries, note } = edit;
  const metadata = useMemo(() => editedMetadata(base.metadata, entries), [base, entries]);
  const isNewer = latest.etag !== base.etag;
  const isIdle = isSame(metadata, base.metadata) || isSame(metadata, latest.metadata);
  useEffect(() => {
    // The newer metadata do not concern a user who has changed nothing, or has saved the same change.
    if (isNewer && isIdle && !isDone.current) setEdit((edit) => ({ ...newEdit(latest), note: edit.note }));
  }, [isNewer, isIdle, latest, isDone, setEdit]);
  const change = useCallback(
    (next: (entries: MetadataEntries) => Partial<MetadataEntries>) =>
      setEdit((edit) => ({ ...edit, entries: { ...edit.entries, ...next(edit.entries) } })),
    [setEdit],
  );
  const setters = useEntrySetters(change);
  return {
    base,
    entries,
    note,
    metadata,
    kept,
    follow,
    /** The metadata have changed since the edit began, and the user has changed them too. */
    isOutdated: isNewer && !isIdle,
    setNote: (note: string) => setEdit((edit) => ({ ...edit, note })),
    ...setters,
    /** Applies the changes to newer metadata. Returns the members that others have changed too. */
    rebaseOn(theirs: MetadataState): string[] {
      const { metadata: merged, conflicts, origins } = rebase(base.metadata, metadata, theirs.metadata);
      setEdit({ base: theirs, entries: editableEntries(merged, origins), note });
      return conflicts;
    },
    /** Discards the changes and starts again with the given metadata. */
    restart: (state: MetadataState) => setEdit(newEdit(state)),
    /** Deletes the stored edit, after it was saved. */
    finish: stored.forget,
  };
}

function newEdit(base: MetadataState): Edit {
  return { base, entries: editableEntries(base.metadata), note: "" };
}

/** An unfinished edit, as stored in the browser. */
interface Edit {
  /** The state that the user started from. */
  base: MetadataState;
  entries: MetadataEntries;
  note: string;
}

const FORM = 2;

/** The storage key of an edit. Signing out deletes it with the other drafts of the owner. */
export function placeOfEdit(owner: string, dataset: string): string {
  return placeOfDraft(owner, `${dataset}.metadata`);
}

/** The store of an edit. Does not store an edit without changes. */
function editStore(place: string): DraftStore<Edit> {
  return new DraftStore(place, {
    write: (edit) => (edit.note === "" && isUnchanged(edit) ? null : JSON.stringify({ form: FORM, edit })),
    read: (text) => {
      const { form, edit } = JSON.parse(text) as { form: number; edit: Edit };
      return form === FORM ? { ...edit, entries: completeEntries(edit.entries) } : undefined;
    },
  });
}

/** Whether the edit leads to the metadata from which it started. */
function isUnchanged({ base, entries }: Edit): boolean {
  return isSame(editedMetadata(base.metadata, entries), base.metadata);
}
