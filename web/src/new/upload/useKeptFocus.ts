import { type RefObject, useEffect, useRef } from "react";

/**
 * For a region whose buttons disappear after they were used, such as that of a file that is removed from a list: the focus moves to
 * the last button of the entry that follows, or to the region.
 */
export function useKeptFocus<Place extends HTMLElement>(): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    const region = place.current;
    if (region === null) return;
    let last: Node | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      last = target instanceof Node ? target : null;
    };
    const observer = new MutationObserver((changes) => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
      const near = change?.nextSibling ?? change?.previousSibling;
      const button = near instanceof Element ? near.querySelector<HTMLElement>("button:last-of-type") : null;
      (button ?? region).focus({ preventScroll: true });
    });
    region.addEventListener("focusin", onFocus);
    observer.observe(region, { childList: true, subtree: true });
    return () => {
      region.removeEventListener("focusin", onFocus);
      observer.disconnect();
    };
  }, []);
  return place;
}
