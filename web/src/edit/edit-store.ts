import { placeOfDraft } from "../api/drafts.ts";
import type { MetadataState } from "../api/revisions.ts";
import { DraftStore } from "../metadata-form/drafts/draft-store.ts";
import { completeEntries, type MetadataEntries } from "../metadata-form/entries/entries.ts";
import { isSame } from "../revisions/same.ts";
import { editedMetadata } from "./edited-metadata.ts";

/** An unfinished edit, as stored in the browser. */
export interface Edit {
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
export function editStore(place: string): DraftStore<Edit> {
  return new DraftStore(place, {
    write: (edit) => (edit.note === "" && isUnchanged(edit) ? null : JSON.stringify({ form: FORM, edit })),
    read: (text) => {
      const { form, edit } = JSON.parse(text) as { form: number; edit: Edit };
      return form === FORM ? { ...edit, entries: completeEntries(edit.entries) } : undefined;
    },
  });
}

/** Whether the edit leads to the metadata from which it started. */
export function isUnchanged({ base, entries }: Edit): boolean {
  return isSame(editedMetadata(base.metadata, entries), base.metadata);
}
