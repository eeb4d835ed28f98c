import { useEffect, useState } from "react";

/** Whether a dialog is open, false at first: one that is there only since it is wanted, too, notes what has the focus. */
export function useOpened(isWanted: boolean): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return isWanted && isThere;
}
