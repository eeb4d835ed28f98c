import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to a place when the element that had it has disappeared because of a change; without a place, to the heading of
 * the page.
 *
 * @param state another value after each such change
 */
export function useKeptFocus(state: unknown, place: RefObject<HTMLElement | null>): void {
  const last = useRef(state);
  useEffect(() => {
    if (last.current === state) return;
    last.current = state;
    if (document.activeElement !== document.body) return;
    (place.current ?? document.querySelector<HTMLElement>("main h1"))?.focus({ preventScroll: true });
  }, [state, place]);
}
