import { useCallback, useState } from "react";
import { useAddress } from "../api/address.ts";
import { isListName } from "../metadata-form/lists.ts";
import type { Draft } from "./draft.ts";

/** The sections of the form, in their order. */
export const PARTS = ["data-source", "description", "authors", "review"] as const;
export type Part = (typeof PARTS)[number];

/** The section that contains a member of the request, by its pointer; `review` if no other section does. */
export function partOf(pointer: string): Part {
  if (pointer.startsWith("/metadata/authors")) return "authors";
  if (pointer.startsWith("/metadata")) return "description";
  return pointer.startsWith("/s3Access") || pointer.startsWith("/selection") ? "data-source" : "review";
}

/** The id of the field for a member of the request. */
export function fieldId(pointer: string): string {
  return `field${pointer.replaceAll("/", "-")}`;
}

/** Whether a pointer equals another one or leads to a member inside it. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The author or the entry of another list that contains a member of the request, by its pointer. */
function entryAt({ authors, lists }: Draft, pointer: string): { id: string } | undefined {
  const [, list = "", index] = /^\/metadata\/(\w+)\/(\d+)/.exec(pointer) ?? [];
  const entries = list === "authors" ? authors : isListName(list) ? lists[list] : [];
  return entries[Number(index)];
}

/** The current section, which is part of the address, and the expanded entries. */
export function usePlaces(draft: Draft, beginAt: string | undefined) {
  const [params, setParams] = useAddress();
  const part = PARTS.find((one) => one === params.get("part")) ?? "data-source";
  const [target, setTarget] = useState(beginAt);
  const [hasMoved, setMoved] = useState(false);
  const { authors } = draft;
  const [openEntries, setOpenEntries] = useState<ReadonlySet<string>>(
    new Set(authors.length === 1 && authors[0] !== undefined ? [authors[0].id] : []),
  );
  const setOpen = useCallback((entry: string, isOpen: boolean) => {
    setOpenEntries((open) => {
      const others = [...open].filter((id) => id !== entry);
      return new Set(isOpen ? [...others, entry] : others);
    });
  }, []);
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
