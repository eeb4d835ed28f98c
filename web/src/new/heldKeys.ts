import { currentSession, subscribe } from "../api/session.ts";
import { type Keys, NO_KEYS } from "./draft.ts";

/** Keys by the place of their draft: in memory alone, so that they outlast a look at another room, and never the tab. */
const held = new Map<string, Keys>();

// They go with whoever signs out.
subscribe(() => {
  if (currentSession() === undefined) held.clear();
});

/** The keys that were typed in for a draft. */
export function heldKeys(place: string): Keys {
  return held.get(place) ?? NO_KEYS;
}

/** Remembers the keys of a draft while the tab lives. */
export function holdKeys(place: string, keys: Keys): void {
  held.set(place, keys);
}

/** Forgets them. */
export function dropKeys(place: string): void {
  held.delete(place);
}
