import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import { isWithin } from "../entries/pointers.ts";

interface ListOf<E> {
  entries: readonly E[];
  change: (next: (entries: E[]) => E[]) => void;
  /** The display name of an entry. */
  nameOf: (entry: E, index: number) => string;
  /** The id of the button that adds an entry. */
  addId: string;
}

/** Adds, moves and removes entries of a list, announces this to screen readers, and keeps the focus in the list. */
export function useEntries<E extends { id: string }>({ entries, change, nameOf, addId }: ListOf<E>) {
  const { t } = useTranslation("new");
  const { setOpen } = useMetadataForm();
  const [announcement, setAnnouncement] = useState("");
  const focusAfter = useFocusAfter();
  const move = useSteady((from: number, to: number, by: "up" | "down") => {
    const entry = entries[from];
    if (entry === undefined || to < 0 || to >= entries.length) return;
    change((entries) => moveItem(entries, from, to));
    focusAfter(`${by}-${entry.id}`);
    setAnnouncement(t("list.moved", { name: nameOf(entry, from), place: to + 1, count: entries.length }));
  });
  const remove = useSteady((index: number) => {
    const entry = entries[index];
    if (entry === undefined) return;
    change((entries) => entries.filter(({ id }) => id !== entry.id));
    setAnnouncement(t("list.removed", { name: nameOf(entry, index) }));
    // The entry that takes the place of the removed one, or the last one.
    const next = entries[index + 1] ?? entries[index - 1];
    focusAfter(next === undefined ? addId : `entry-${next.id}`);
  });
  /** @param field the id of the field that receives the focus */
  const add = (entry: E, field: string) => {
    change((entries) => [...entries, entry]);
    setOpen(entry.id, true);
    focusAfter(field);
  };
  return { announcement, setAnnouncement, move, remove, add };
}

/** Moves the focus to an element after the next rendering: an entry that is moved loses it. */
export function useFocusAfter(): (id: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    document.getElementById(wanted.current)?.focus();
    wanted.current = undefined;
  });
  return (id) => {
    wanted.current = id;
  };
}

/**
 * The number of errors per entry of a list, by index: wrong entries immediately, missing ones after an attempt to submit.
 *
 * @param pointer of the list
 */
export function useToDo(pointer: string): ReadonlyMap<number, number> {
  const { formErrors, isRevealed } = useMetadataForm();
  const said = new Map<number, number>();
  const all = formErrors.flatMap((formError) => {
    if (!isWithin(formError.pointer, pointer)) return [];
    const place = formError.pointer.slice(pointer.length + 1).split("/")[0];
    if (place === undefined || place === "") return [];
    return [{ place: Number(place), isSaid: formError.kind === "wrong" || isRevealed }];
  });
  const shown = new Set(all.flatMap(({ place, isSaid }) => (isSaid ? [place] : [])));
  for (const { place } of all) if (shown.has(place)) said.set(place, (said.get(place) ?? 0) + 1);
  return said;
}

/** A function of stable identity that calls the latest version of another one: cards are not rendered again. */
export function useSteady<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}

/** A copy of the list in which one item is at another position. */
export function moveItem<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}
