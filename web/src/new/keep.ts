import { type Draft, isBlank, newDraft, newPerson } from "./draft.ts";

/** Changes when drafts get another form; older ones are let go. */
const FORM = 1;

/** Whether what is written is kept: it is, the browser takes no more, or another tab has written something else. */
export type Kept = "kept" | "full" | "elsewhere";

/** Keeps a draft at its place for one tab, and touches there only what this tab has read or written itself. */
export class Keeper {
  readonly #place: string;
  /** What lies there as far as this tab knows. */
  #known: string | null = null;
  #kept: Kept = "kept";

  constructor(place: string) {
    this.#place = place;
  }

  /** The draft that lies there; undefined when there is none that can be read. */
  read(): Draft | undefined {
    this.#known = textAt(this.#place);
    this.#kept = "kept";
    return draftOf(this.#known);
  }

  /** Keeps a draft over the one that this tab knows; a blank one is not worth keeping. */
  keep(draft: Draft): Kept {
    const text = isBlank(draft) ? null : JSON.stringify({ form: FORM, draft });
    this.#kept = this.isNewer() ? "elsewhere" : put(this.#place, text, this.#known);
    if (this.#kept === "kept") this.#known = text;
    return this.#kept;
  }

  /** Lets go of the draft that this tab knows. */
  drop(): void {
    if (!this.isNewer()) put(this.#place, null, this.#known);
  }

  /** Whether another tab has written something since. */
  isNewer(): boolean {
    return textAt(this.#place) !== this.#known;
  }

  /** Whether this tab has something that is kept nowhere. */
  get isBehind(): boolean {
    return this.#kept !== "kept";
  }
}

/** Puts a text, or nothing, in the place of another. */
function put(place: string, text: string | null, before: string | null): Kept {
  if (text === before) return "kept";
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
    return "kept";
  } catch {
    // A browser that keeps nothing lets one write all the same.
    return "full";
  }
}

function textAt(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    // Some browsers forbid to look, even.
    return null;
  }
}

function draftOf(text: string | null): Draft | undefined {
  try {
    const kept = JSON.parse(text ?? "null") as { form: number; draft: Draft } | null;
    if (kept?.form !== FORM) return undefined;
    const blank = newDraft();
    const { where, what, authors, idempotencyKey } = kept.draft;
    return {
      where: { ...blank.where, ...where },
      what: { ...blank.what, ...what },
      authors: authors.map((author) => ({ ...newPerson(), ...author })),
      idempotencyKey,
    };
  } catch {
    // Whatever lies there was not written by this page.
    return undefined;
  }
}
