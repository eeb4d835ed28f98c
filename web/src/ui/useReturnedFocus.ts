import { type RefObject, useEffect, useRef } from "react";

/** For a button that a form replaces while it is open: the button receives the focus when the form closes. */
export function useReturnedFocus<Element extends HTMLElement>(isOpen: boolean): RefObject<Element | null> {
  const opener = useRef<Element>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
