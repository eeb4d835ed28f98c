import { useEffect, useRef, useState } from "react";
import { type Draft, type Keys, NO_KEYS, newDraft, type Person, randomId, type What, type Where } from "./draft.ts";
import { dropDraft, keepDraft, readDraft } from "./keep.ts";

/** What is written: the draft, kept in the browser as it changes, and the keys, kept nowhere. */
export function useDraft(dataset: string | undefined) {
  const [draft, setDraft] = useState<Draft>(() => readDraft(dataset) ?? newDraft());
  const [keys, setAllKeys] = useState<Keys>(NO_KEYS);
  const isDone = useRef(false);
  useEffect(() => {
    if (!isDone.current) keepDraft(dataset, draft);
  }, [dataset, draft]);
  // Another content is another submission.
  const change = (next: (draft: Draft) => Partial<Draft>) =>
    setDraft((draft) => ({ ...draft, ...next(draft), idempotencyKey: randomId() }));
  return {
    draft,
    keys,
    setWhere: (where: Partial<Where>) => change((draft) => ({ where: { ...draft.where, ...where } })),
    setWhat: (what: Partial<What>) => change((draft) => ({ what: { ...draft.what, ...what } })),
    setAuthors: (next: (authors: Person[]) => Person[]) => change(({ authors }) => ({ authors: next(authors) })),
    setKeys: (more: Partial<Keys>) => setAllKeys((keys) => ({ ...keys, ...more })),
    adopt: (known: Pick<Draft, "where" | "what" | "authors">) => change(() => known),
    clear() {
      setDraft(newDraft());
      setAllKeys(NO_KEYS);
    },
    /** It has been submitted: nothing of it is kept any more. */
    forget() {
      isDone.current = true;
      dropDraft(dataset);
    },
  };
}
