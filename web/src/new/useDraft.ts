import { useCallback, useEffect, useState } from "react";
import { randomId } from "../api/browser/storage.ts";
import { currentSession, subscribe } from "../api/session/session.ts";
import { useEntrySetters } from "../metadata-form/context.ts";
import { useStoredDraft } from "../metadata-form/drafts/draft-store.ts";
import {
  type DataSource,
  type Draft,
  type DraftEntries,
  draftStore,
  type Keys,
  type Lists,
  NO_KEYS,
  NO_LISTS,
  newDraft,
} from "./draft.ts";
import { unsentUpload } from "./upload/held.ts";

/** Credentials by the storage key of their draft. Kept in memory until the tab is closed, also across pages. */
const held = new Map<string, Keys>();
/** The same for texts of checksum lists. */
const heldLists = new Map<string, Lists>();

/** The draft, which the browser stores after each change, and the credentials and checksum lists, which stay in memory. */
export function useDraft(place: string) {
  // A tab with files that it has not sent keeps the form of their upload, also if another tab clears it or begins another upload.
  const mayFollow = useCallback(
    ({ dataSource }: Draft) => [undefined, dataSource.upload].includes(unsentUpload(place)),
    [place],
  );
  const stored = useStoredDraft(() => draftStore(place), newDraft, mayFollow);
  const { draft, setDraft, kept, follow, forget, isDone } = stored;
  const [keys, setAllKeys] = useState<Keys>(() => held.get(place) ?? NO_KEYS);
  const [lists, setAllLists] = useState<Lists>(() => heldLists.get(place) ?? NO_LISTS);
  useEffect(() => {
    if (isDone.current) return;
    held.set(place, keys);
    heldLists.set(place, lists);
  }, [place, keys, lists, isDone]);
  // Different content is a different submission, so each change gets a new idempotency key.
  const change = useCallback(
    (next: (draft: Draft) => Partial<Draft>) =>
      setDraft((draft) => ({ ...draft, ...next(draft), idempotencyKey: randomId() })),
    [setDraft],
  );
  const setters = useEntrySetters(change);
  return {
    draft,
    kept,
    follow,
    keys,
    lists,
    setLists: (names: readonly string[], texts: Lists) => {
      setAllLists(texts);
      change((draft) => ({ dataSource: { ...draft.dataSource, lists: [...new Set(names)] } }));
    },
    setDataSource: (dataSource: Partial<DataSource>) =>
      change((draft) => ({ dataSource: { ...draft.dataSource, ...dataSource } })),
    ...setters,
    setReserveDoi: (reserveDoi: boolean) => change(() => ({ reserveDoi })),
    setKeys: (more: Partial<Keys>) => setAllKeys((keys) => ({ ...keys, ...more })),
    adopt: (known: DraftEntries) => change(() => known),
    /** Deletes the draft and the credentials, after a submission or when the form is cleared. */
    forget() {
      forget();
      held.delete(place);
      heldLists.delete(place);
    },
  };
}

// Signing out deletes all credentials.
subscribe(() => {
  if (currentSession() !== undefined) return;
  held.clear();
  heldLists.clear();
});
