import { type Draft, isBlank, newDraft, newPerson } from "./draft.ts";

/** Changes when drafts get another form; older ones are let go. */
const FORM = 1;

/** Where a draft lies in the browser: one for new datasets, one for each dataset that gets a new version. */
function placeOf(dataset: string | undefined): string {
  return dataset === undefined ? "accession.draft" : `accession.draft.${dataset}`;
}

/** The draft that was kept; undefined when there is none that can be read. */
export function readDraft(dataset: string | undefined): Draft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(placeOf(dataset)) ?? "null") as { form: number; draft: Draft } | null;
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

/** Keeps a draft, over what was there before; a blank one is not worth keeping. */
export function keepDraft(dataset: string | undefined, draft: Draft): void {
  try {
    if (isBlank(draft)) localStorage.removeItem(placeOf(dataset));
    else localStorage.setItem(placeOf(dataset), JSON.stringify({ form: FORM, draft }));
  } catch {
    // A browser that keeps nothing lets one write all the same.
  }
}

/** Lets go of what was kept. */
export function dropDraft(dataset: string | undefined): void {
  localStorage.removeItem(placeOf(dataset));
}
