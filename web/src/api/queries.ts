import { ProblemError } from "@accession/client";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { subscribe } from "./session.ts";

let isReached = true;

const listeners = new Set<() => void>();

const RETRIES = 2;
const AGAIN_MS = 3_000;

/**
 * How often something is asked: as often as it wants, and while the service does not answer, or is in trouble, until it
 * does. Gives a `refetchInterval`.
 */
export function refetchUntilHealthy<Data>(wanted: (data: Data | undefined) => number | false = () => false) {
  return ({ state }: { state: { data: Data | undefined; error: Error | null } }): number | false =>
    state.error !== null && mayGetBetter(state.error) ? AGAIN_MS : wanted(state.data);
}

/** All that the page has asked the service, kept while it is open. */
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

// What one caller saw is not for the next one.
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
