import { useRef } from "react";

/** What keeps a question from being answered, and how to ask it again. */
export interface Standing {
  error: Error;
  onRetry: () => void;
}

interface Asked {
  error: Error | null;
  isPending: boolean;
  refetch: () => unknown;
}

/**
 * What is wrong with a question until it is answered: also while it is asked once more, so that what is said of it, and
 * whoever has the focus there, stays in its place. Undefined where nothing is.
 */
export function useStanding({ error, isPending, refetch }: Asked): Standing | undefined {
  const last = useRef<Error>(null);
  if (error !== null || !isPending) last.current = error;
  return last.current === null ? undefined : { error: last.current, onRetry: () => void refetch() };
}
