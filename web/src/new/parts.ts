import { useCallback, useState } from "react";
import { useAddress } from "../api/browser/address.ts";
import { useOpenEntries } from "../metadata-form/context.ts";
import { entryAt } from "../metadata-form/entries/pointers.ts";
import type { Draft } from "./draft.ts";

/** The sections of the form, in their order. */
export const PARTS = ["data-source", "description", "authors", "review"] as const;
export type Part = (typeof PARTS)[number];

/** The section that contains a member of the request, by its pointer; `review` if no other section does. */
export function partOf(pointer: string): Part {
  if (pointer.startsWith("/metadata/authors")) return "authors";
  if (pointer.startsWith("/metadata")) return "description";
  return /^\/(s3Access|selection|upload|digests)/.test(pointer) ? "data-source" : "review";
}

/** The current section, which is part of the address, and the expanded entries. */
export function usePlaces(draft: Draft, beginAt: string | undefined) {
  const [params, setParams] = useAddress();
  const part = PARTS.find((one) => one === params.get("part")) ?? "data-source";
  const [target, setTarget] = useState(beginAt);
  const [hasMoved, setMoved] = useState(false);
  const { authors } = draft;
  const { openEntries, setOpen } = useOpenEntries(authors.length === 1 ? authors : []);
  const goTo = (next: Part) => {
    if (next !== part) setParams({ ...Object.fromEntries(params), part: next });
    setTarget(undefined);
    setMoved(true);
  };
  return {
    part,
    hasMoved,
    goTo,
    goToField(pointer: string) {
      const entry = entryAt(draft, pointer);
      if (entry !== undefined) setOpen(entry.id, true);
      goTo(partOf(pointer));
      setTarget(pointer);
    },
    target,
    arrive: useCallback(() => setTarget(undefined), []),
    openEntries,
    setOpen,
  };
}
