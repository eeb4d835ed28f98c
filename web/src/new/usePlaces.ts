import { useCallback, useState } from "react";
import { useAddress } from "../api/address.ts";
import type { Person } from "./draft.ts";
import { PARTS, type Part, partOf } from "./parts.ts";

/** Where in the form one is: the part, which the address names, and which authors are open. */
export function usePlaces(authors: readonly Person[], beginAt: string | undefined) {
  const [params, setParams] = useAddress();
  const part = PARTS.find((one) => one === params.get("part")) ?? "where";
  const [target, setTarget] = useState(beginAt);
  const [hasMoved, setMoved] = useState(false);
  const [openAuthors, setOpenAuthors] = useState<ReadonlySet<string>>(
    new Set(authors.length === 1 && authors[0] !== undefined ? [authors[0].id] : []),
  );
  const setOpen = useCallback((author: string, isOpen: boolean) => {
    setOpenAuthors((open) => {
      const others = [...open].filter((id) => id !== author);
      return new Set(isOpen ? [...others, author] : others);
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
      const author = authors[Number(/^\/metadata\/authors\/(\d+)/.exec(pointer)?.[1] ?? -1)];
      if (author !== undefined) setOpen(author.id, true);
      goTo(partOf(pointer));
      setTarget(pointer);
    },
    target,
    arrive: useCallback(() => setTarget(undefined), []),
    openAuthors,
    setOpen,
  };
}
