import { useSyncExternalStore } from "react";

let isReached = true;
const listeners = new Set<() => void>();

/** The service has answered, whatever it said. */
export function noteReached(): void {
  change(true);
}

/** The service did not answer, or something else did. */
export function noteUnreachable(): void {
  change(false);
}

/** Whether the service answered when it was last asked. */
export function useIsReached(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isReached,
  );
}

function change(next: boolean): void {
  if (next === isReached) return;
  isReached = next;
  for (const listener of listeners) listener();
}
