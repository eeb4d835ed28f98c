import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * For buttons that go away when they have done their work: whoever was at one of them, or in a dialog that it opened,
 * goes on at the heading of the room.
 *
 * @param isPressed whether one was pressed
 */
export function useCaughtFocus<Place extends HTMLElement>(isPressed: boolean): RefObject<Place | null> {
  const place = useRef<Place>(null);
  const pressed = useRef(isPressed);
  pressed.current ||= isPressed;
  useLayoutEffect(() => {
    const here = place.current;
    return () => {
      if (!pressed.current && !here?.contains(document.activeElement)) return;
      // When it is gone; a dialog that has just closed gives the focus to nobody.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
      });
    };
  }, []);
  return place;
}
