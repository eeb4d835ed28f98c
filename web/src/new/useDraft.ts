import { useCallback, useEffect, useRef, useState } from "react";
import { randomId } from "../api/browser/storage.ts";
import { currentSession, subscribe } from "../api/session/session.ts";
import { useEntrySetters } from "../metadata-form/context.ts";
import { type DraftSaveState, useOtherTabs } from "../metadata-form/drafts/draft-store.ts";
import { type DataSource, type Draft, type DraftEntries, draftStore, type Keys, NO_KEYS, newDraft } from "./draft.ts";

/** Credentials by the storage key of their draft. Kept in memory until the tab is closed, also across pages. */
const held = new Map<string, Keys>();

/** The draft, which the browser stores after each change, and the credentials, which stay in memory. */
export function useDraft(place: string) {
  const [keeper] = useState(() => draftStore(place));
  const [draft, setDraft] = useState<Draft>(() => keeper.read() ?? newDraft());
  const [keys, setAllKeys] = useState<Keys>(() => held.get(place) ?? NO_KEYS);
  const [kept, setKept] = useState<DraftSaveState>("kept");
  const isDone = useRef(false);
  useEffect(() => {
    if (!isDone.current) setKept(keeper.keep(draft));
  }, [keeper, draft]);
  useEffect(() => {
    if (!isDone.current) held.set(place, keys);
  }, [place, keys]);
  /** Loads the draft that another tab has stored. */
  const follow = useCallback(() => setDraft(keeper.read() ?? newDraft()), [keeper]);
  useOtherTabs(keeper, follow, setKept);
  // Different content is a different submission, so each change gets a new idempotency key.
  const change = useCallback(
    (next: (draft: Draft) => Partial<Draft>) =>
      setDraft((draft) => ({ ...draft, ...next(draft), idempotencyKey: randomId() })),
    [],
  );
  const setters = useEntrySetters(change);
  return {
    draft,
    kept,
    follow,
    keys,
    setDataSource: (dataSource: Partial<DataSource>) =>
      change((draft) => ({ dataSource: { ...draft.dataSource, ...dataSource } })),
    ...setters,
    setReserveDoi: (reserveDoi: boolean) => change(() => ({ reserveDoi })),
    setKeys: (more: Partial<Keys>) => setAllKeys((keys) => ({ ...keys, ...more })),
    adopt: (known: DraftEntries) => change(() => known),
    /** Deletes the draft and the credentials, after a submission or when the form is cleared. */
    forget() {
      isDone.current = true;
      keeper.drop();
      held.delete(place);
    },
  };
}

// Signing out deletes all credentials.
subscribe(() => {
  if (currentSession() === undefined) held.clear();
});
