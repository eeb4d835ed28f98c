import { useEffect } from "react";
import type { DraftSaveState, DraftStore } from "./draft-store.ts";

/**
 * Watches for changes of a draft in other tabs. Shows the newer draft immediately if all entries of this tab are stored; otherwise
 * the user decides.
 */
export function useOtherTabs<Draft>(
  keeper: DraftStore<Draft>,
  follow: () => void,
  setKept: (kept: DraftSaveState) => void,
): void {
  useEffect(() => {
    const look = () => {
      if (!keeper.isNewer()) return;
      if (keeper.isBehind) setKept("elsewhere");
      else follow();
    };
    window.addEventListener("storage", look);
    // A suspended tab receives no storage events.
    window.addEventListener("focus", look);
    return () => {
      window.removeEventListener("storage", look);
      window.removeEventListener("focus", look);
    };
  }, [keeper, follow, setKept]);
}
