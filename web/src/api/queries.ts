import { ProblemError } from "@accession/client";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { subscribe } from "./session.ts";

let isReached = true;

const listeners = new Set<() => void>();

const RETRIES = 2;
const AGAIN_MS = 3_000;

/**
 * A `refetchInterval`: the wanted one, and a short one while the service does not respond or reports a temporary error.
 */
export function refetchUntilHealthy<Data>(wanted: (data: Data | undefined) => number | false = () => false) {
  return ({ state }: { state: { data: Data | undefined; error: Error | null } }): number | false =>
    state.error !== null && mayGetBetter(state.error) ? AGAIN_MS : wanted(state.data);
}

/** The cache of all requests of the page. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: noteReached,
    onError: (error) => (isOfNetwork(error) ? noteUnreachable() : noteReached()),
  }),
  defaultOptions: {
    queries: {
      // A service on this machine is there without a network, too.
      networkMode: "always",
      retry: (failures, error) => failures < RETRIES && mayGetBetter(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      staleTime: 1_000,
      refetchInterval: refetchUntilHealthy(),
    },
    mutations: { networkMode: "always" },
  },
});

// The cache of one caller must not be visible to the next one.
subscribe(() => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "service" }));

/** Whether no service answered at all: it is away, or the network is. */
export function isOfNetwork(error: unknown): boolean {
  return !(error instanceof ProblemError);
}

function mayGetBetter(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.problem.status >= 500 || error.problem.status === 429;
}

/** The service has answered, whatever it said. */
function noteReached(): void {
  change(true);
}

/** The service did not answer, or something else did. */
function noteUnreachable(): void {
  change(false);
}

/** Whether the service responded to the last request. */
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
