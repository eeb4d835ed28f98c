import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** The time in which a closing dialog returns the focus. */
const GIVEN_BACK_MS = 500;

/**
 * For buttons that disappear after they were used: if the focus was on one of them, or in a dialog that one of them opened, it
 * moves elsewhere.
 *
 * @param isOpen whether such a dialog is open
 * @param to where the focus moves, if it is there; otherwise to the heading of the page
 */
export function useCaughtFocus<Place extends HTMLElement>(
  isOpen: boolean,
  to?: RefObject<HTMLElement | null>,
): RefObject<Place | null> {
  const place = useRef<Place>(null);
  const wasOpenAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!isOpen) return;
    wasOpenAt.current = Number.POSITIVE_INFINITY;
    return () => {
      wasOpenAt.current = performance.now();
    };
  }, [isOpen]);
  useLayoutEffect(() => {
    const here = place.current;
    return () => {
      const isDialogs = performance.now() - wasOpenAt.current < GIVEN_BACK_MS;
      if (!isDialogs && !here?.contains(document.activeElement)) return;
      // A dialog that has just closed cannot return the focus to a button that no longer exists.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        (to?.current ?? document.querySelector<HTMLElement>("main h1"))?.focus({ preventScroll: true });
      });
    };
  }, [to]);
  return place;
}

/** Moves the focus to an element if the button that opened a dialog, which now closes, has disappeared. */
export function focusIfLost(place: RefObject<HTMLElement | null>): void {
  setTimeout(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, GIVEN_BACK_MS);
}
