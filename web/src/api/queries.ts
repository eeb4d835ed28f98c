import { nextCursor, orThrow, ProblemError } from "@accession/client";
import { infiniteQueryOptions, QueryCache, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { subscribe } from "./session/session.ts";

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

/**
 * The pages of a list, of which each answer names the next one.
 * @param fetchPage gets the parameter for the page: none for the first one
 */
export function pagesQuery<Key extends readonly unknown[], Item>(
  queryKey: Key,
  fetchPage: (
    page: { cursor?: string },
    signal: AbortSignal,
  ) => Promise<{ data?: Item[]; error?: unknown; response: Response }>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await fetchPage(pageParam === "" ? {} : { cursor: pageParam }, signal);
      return { items: orThrow(answer), next: nextCursor(answer.response) };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** The cache of all requests of the page. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: () => noteReached(true),
    onError: (error) => noteReached(error instanceof ProblemError),
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

/** Whether a request may succeed later: no service answered, or it has a temporary error. */
export function mayGetBetter(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.problem.status >= 500 || error.problem.status === 429;
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

function noteReached(next: boolean): void {
  if (next === isReached) return;
  isReached = next;
  for (const listener of listeners) listener();
}
