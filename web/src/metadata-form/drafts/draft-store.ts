import { useCallback, useEffect, useRef, useState } from "react";

/** Whether the browser has stored the draft: yes, its storage is full, or another tab has stored a different draft. */
export type DraftSaveState = "kept" | "full" | "elsewhere";

/** How drafts are stored. */
interface DraftFormat<Draft> {
  /** The text to store; null for a draft that has no entries. */
  write(draft: Draft): string | null;
  /** The draft in a stored text; undefined, or an error, if this version of the page cannot read it. */
  read(text: string): Draft | undefined;
}

/** Stores a draft for one tab. Never overwrites a draft that another tab has stored. */
export class DraftStore<Draft> {
  readonly #place: string;
  /** The stored text that this tab last read or wrote. */
  #known: string | null = null;
  #kept: DraftSaveState = "kept";

  readonly #format: DraftFormat<Draft>;

  /** @param place the storage key */
  constructor(place: string, format: DraftFormat<Draft>) {
    this.#place = place;
    this.#format = format;
  }

  /** The stored draft; undefined if there is none that can be read. */
  read(): Draft | undefined {
    this.#known = textAt(this.#place);
    this.#kept = "kept";
    return this.#draftIn(this.#known);
  }

  /** The stored draft, also a newer one, without taking it over. */
  peek(): Draft | undefined {
    return this.#draftIn(textAt(this.#place));
  }

  #draftIn(text: string | null): Draft | undefined {
    if (text === null) return undefined;
    try {
      return this.#format.read(text);
    } catch {
      // The stored text was not written by this page.
      return undefined;
    }
  }

  /** Stores a draft, unless another tab has stored one meanwhile. Deletes a stored draft that has become blank. */
  keep(draft: Draft): DraftSaveState {
    const text = this.#format.write(draft);
    this.#kept = this.isNewer() ? "elsewhere" : put(this.#place, text, this.#known);
    if (this.#kept === "kept") this.#known = text;
    return this.#kept;
  }

  /** Deletes the draft that this tab stored. */
  drop(): void {
    if (!this.isNewer()) put(this.#place, null, this.#known);
  }

  /** Whether another tab has stored a draft since. */
  isNewer(): boolean {
    return textAt(this.#place) !== this.#known;
  }

  /** Whether this tab has entries that are not stored. */
  get isBehind(): boolean {
    return this.#kept !== "kept";
  }
}

/**
 * A draft that the browser stores after each change. Shows a newer draft of another tab immediately if all entries of this
 * tab are stored; otherwise the user decides.
 *
 * @param newDraft makes the draft if none is stored; always the same function, until it makes another draft
 * @param mayFollow whether a newer draft is shown without a question; always the same function
 */
export function useStoredDraft<Draft>(
  open: () => DraftStore<Draft>,
  newDraft: () => Draft,
  mayFollow: (newer: Draft) => boolean = always,
) {
  const [store] = useState(open);
  const [draft, setDraft] = useState(() => store.read() ?? newDraft());
  const [kept, setKept] = useState<DraftSaveState>("kept");
  const isDone = useRef(false);
  useEffect(() => {
    if (!isDone.current) setKept(store.keep(draft));
  }, [store, draft]);
  /** Loads the draft that another tab has stored. */
  const follow = useCallback(() => setDraft(store.read() ?? newDraft()), [store, newDraft]);
  useEffect(() => {
    const look = () => {
      if (!store.isNewer()) return;
      if (store.isBehind || !mayFollow(store.peek() ?? newDraft())) setKept("elsewhere");
      else follow();
    };
    window.addEventListener("storage", look);
    // A suspended tab receives no storage events.
    window.addEventListener("focus", look);
    return () => {
      window.removeEventListener("storage", look);
      window.removeEventListener("focus", look);
    };
  }, [store, newDraft, mayFollow, follow]);
  /** Deletes the stored draft, after it was sent or when it is discarded. */
  const forget = () => {
    isDone.current = true;
    store.drop();
  };
  return { draft, setDraft, kept, follow, forget, isDone };
}

const always = () => true;

/** Replaces the stored text, or removes it. */
function put(place: string, text: string | null, before: string | null): DraftSaveState {
  if (text === before) return "kept";
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
    return "kept";
  } catch {
    // The form also works in browsers that do not allow storage.
    return "full";
  }
}

function textAt(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    // Some browsers do not even allow reading.
    return null;
  }
}
