import { useCallback, useEffect, useRef, useState } from "react";
import { useCaller, useService } from "../api/service.ts";
import { currentSession, subscribe } from "../api/session.ts";
import { randomId } from "../api/storage.ts";
import {
  type DataSource,
  type Description,
  type Draft,
  DraftStore,
  type Kept,
  type Keys,
  NO_KEYS,
  newDraft,
  type Person,
} from "./draft.ts";

/** Keys by the place of their draft: in memory only, so that they survive a visit to another page, and never the tab. */
const held = new Map<string, Keys>();

/** What is written: the draft, kept in the browser as it changes, and the keys, held in memory alone. */
export function useDraft(place: string) {
  const [keeper] = useState(() => new DraftStore(place));
  const [draft, setDraft] = useState<Draft>(() => keeper.read() ?? newDraft());
  const [keys, setAllKeys] = useState<Keys>(() => heldKeys(place));
  const [kept, setKept] = useState<Kept>("kept");
  const isDone = useRef(false);
  useEffect(() => {
    if (!isDone.current) setKept(keeper.keep(draft));
  }, [keeper, draft]);
  useEffect(() => {
    if (!isDone.current) holdKeys(place, keys);
  }, [place, keys]);
  /** Goes on with what another tab has written. */
  const follow = useCallback(() => setDraft(keeper.read() ?? newDraft()), [keeper]);
  useNews(keeper, follow, setKept);
  // Another content is another submission.
  const change = useCallback(
    (next: (draft: Draft) => Partial<Draft>) =>
      setDraft((draft) => ({ ...draft, ...next(draft), idempotencyKey: randomId() })),
    [],
  );
  return {
    draft,
    kept,
    follow,
    keys,
    setDataSource: (dataSource: Partial<DataSource>) =>
      change((draft) => ({ dataSource: { ...draft.dataSource, ...dataSource } })),
    setDescription: (description: Partial<Description>) =>
      change((draft) => ({ description: { ...draft.description, ...description } })),
    setAuthors: useCallback(
      (next: (authors: Person[]) => Person[]) => change(({ authors }) => ({ authors: next(authors) })),
      [change],
    ),
    setKeys: (more: Partial<Keys>) => setAllKeys((keys) => ({ ...keys, ...more })),
    adopt: (known: Pick<Draft, "dataSource" | "description" | "authors">) => change(() => known),
    /** It is submitted, or wanted no more: nothing of it is kept. */
    forget() {
      isDone.current = true;
      keeper.drop();
      dropKeys(place);
    },
  };
}

/**
 * Looks after what other tabs write. Where all of this tab's own is kept the newer draft is shown at once; otherwise
 * somebody has to choose.
 */
function useNews(keeper: DraftStore, follow: () => void, setKept: (kept: Kept) => void): void {
  useEffect(() => {
    const look = () => {
      if (!keeper.isNewer()) return;
      if (keeper.isBehind) setKept("elsewhere");
      else follow();
    };
    window.addEventListener("storage", look);
    // A tab that slept was told nothing.
    window.addEventListener("focus", look);
    return () => {
      window.removeEventListener("storage", look);
      window.removeEventListener("focus", look);
    };
  }, [keeper, follow, setKept]);
}

// They go with whoever signs out.
subscribe(() => {
  if (currentSession() === undefined) held.clear();
});

/** The keys that were typed in for a draft. */
function heldKeys(place: string): Keys {
  return held.get(place) ?? NO_KEYS;
}

/** Remembers the keys of a draft while the tab lives. */
function holdKeys(place: string, keys: Keys): void {
  held.set(place, keys);
}

/** Forgets them. */
function dropKeys(place: string): void {
  held.delete(place);
}

/** In whose name is written here: empty where nobody signs in, undefined until it is known. */
export function useOwner(): string | undefined {
  const isOpen = useService()?.signIn.method === "none";
  const owner = useCaller()?.owner;
  const [known, setKnown] = useState<string>();
  // While a token is renewed the caller is asked for anew; the one who writes stays the same.
  if (owner !== undefined && owner !== known) setKnown(owner);
  return isOpen ? "" : (owner ?? known);
}
