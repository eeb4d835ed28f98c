import { useCallback, useEffect, useRef, useState } from "react";
import type { MetadataState } from "../api/revisions.ts";
import type { Entry, ListName } from "../metadata-form/lists.ts";
import type { Contact, Description, MetadataEntries, Person } from "../new/draft.ts";
import { isSame } from "../revisions/same.ts";
import { dropEdit, keepEdit, readEdit, type StoredEdit } from "./edit-store.ts";
import { editableEntries, editedMetadata } from "./edited-metadata.ts";
import { rebase } from "./rebase.ts";

/** The entries of an edit, which the browser stores after each change. @param latest the current metadata of the dataset */
export function useEdit(place: string, latest: MetadataState) {
  const [edit, setEdit] = useState<StoredEdit>(() => readEdit(place) ?? newEdit(latest));
  const [isKept, setKept] = useState(true);
  const isDone = useRef(false);
  const { base, entries, note } = edit;
  const metadata = editedMetadata(base.metadata, entries);
  useEffect(() => {
    if (isDone.current) return;
    const isBlank = edit.note === "" && isSame(editedMetadata(edit.base.metadata, edit.entries), edit.base.metadata);
    if (isBlank) dropEdit(place);
    else setKept(keepEdit(place, edit));
  }, [place, edit]);
  const change = useCallback(
    (next: (entries: MetadataEntries) => Partial<MetadataEntries>) =>
      setEdit((edit) => ({ ...edit, entries: { ...edit.entries, ...next(edit.entries) } })),
    [],
  );
  return {
    base,
    entries,
    note,
    metadata,
    isKept,
    setNote: (note: string) => setEdit((edit) => ({ ...edit, note })),
    setDescription: (description: Partial<Description>) =>
      change((entries) => ({ description: { ...entries.description, ...description } })),
    setContact: (contact: Partial<Contact>) => change((entries) => ({ contact: { ...entries.contact, ...contact } })),
    setList: useCallback(
      <L extends ListName>(list: L, next: (entries: Entry<L>[]) => Entry<L>[]) =>
        change(({ lists }) => ({ lists: { ...lists, [list]: next(lists[list]) } })),
      [change],
    ),
    setAuthors: useCallback(
      (next: (authors: Person[]) => Person[]) => change(({ authors }) => ({ authors: next(authors) })),
      [change],
    ),
    /** Applies the changes to newer metadata. Returns the members that others have changed too. */
    rebaseOn(theirs: MetadataState): string[] {
      const { metadata: merged, conflicts, origins } = rebase(base.metadata, metadata, theirs.metadata);
      setEdit({ ...newEdit(theirs), entries: editableEntries(merged, origins), note });
      return conflicts;
    },
    /** Deletes the changes and starts again with the given metadata. */
    restart(state: MetadataState): void {
      dropEdit(place);
      setEdit(newEdit(state));
    },
    /** Deletes the stored edit, after it was saved. */
    finish(): void {
      isDone.current = true;
      dropEdit(place);
    },
  };
}

function newEdit(base: MetadataState): StoredEdit {
  return { base, entries: editableEntries(base.metadata), note: "" };
}
