import { placeOfDraft } from "../api/drafts.ts";
import type { MetadataState } from "../api/revisions.ts";
import type { MetadataEntries } from "../new/draft.ts";

/** An unfinished edit, as stored in the browser. */
export interface StoredEdit {
  /** The state that the user started from. */
  base: MetadataState;
  entries: MetadataEntries;
  note: string;
}

const FORM = 1;

/** The storage key of an edit. Signing out deletes it with the other drafts of the owner. */
export function placeOfEdit(owner: string, dataset: string): string {
  return placeOfDraft(owner, `${dataset}.metadata`);
}

/** The stored edit; undefined if there is none that this version of the page can read. */
export function readEdit(place: string): StoredEdit | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(place) ?? "null") as { form: number; edit: StoredEdit } | null;
    return stored?.form === FORM ? stored.edit : undefined;
  } catch {
    // The browser allows no storage, or the text was not written by this page.
    return undefined;
  }
}

/** Stores an edit. Returns whether the browser could store it. */
export function keepEdit(place: string, edit: StoredEdit): boolean {
  try {
    localStorage.setItem(place, JSON.stringify({ form: FORM, edit }));
    return true;
  } catch {
    return false;
  }
}

/** Deletes the stored edit. */
export function dropEdit(place: string): void {
  try {
    localStorage.removeItem(place);
  } catch {
    // A browser that forbids this has stored nothing.
  }
}
