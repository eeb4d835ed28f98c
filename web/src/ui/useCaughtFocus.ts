import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Milliseconds in which a dialog that has closed gives the focus back. */
const GIVEN_BACK = 500;

/**
 * For buttons that go away when they have done their work: whoever was at one of them, or in a dialog that it opened,
 * goes on at the heading of the page.
 *
 * @param isOpen whether such a dialog is open
 */
export function useCaughtFocus<Place extends HTMLElement>(isOpen: boolean): RefObject<Place | null> {
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
      const isDialogs = performance.now() - wasOpenAt.current < GIVEN_BACK;
      if (!isDialogs && !here?.contains(document.activeElement)) return;
      // When it is gone; a dialog that has just closed gives the focus to nobody.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
      });
    };
  }, []);
  return place;
}
