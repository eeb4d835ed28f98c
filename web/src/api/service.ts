import { orThrow, ProblemError } from "@accession/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, untilAnswered } from "./client.ts";
import { mayGetBetter, queries } from "./queries.ts";
import { currentSession, type Session, useSession } from "./session/session.ts";

/** What keeps a question from being answered, and how to ask it again. */
export interface QueryState {
  error: Error;
  onRetry: () => void;
}

interface Asked {
  error: Error | null;
  isPending: boolean;
  isPlaceholderData?: boolean;
  refetch: () => unknown;
}

/** The public description of the service. It does not change while the page is open. */
export const serviceQuery = queryOptions({
  queryKey: ["service"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/service", { signal: untilAnswered(signal) })),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  // Until it has answered there is nothing to show.
  retry: false,
});

/** The description of the service; undefined until it has responded. */
export function useService() {
  return useQuery(serviceQuery).data;
}

const callerQuery = queryOptions({
  queryKey: ["caller"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/caller", { signal })),
  staleTime: 60_000,
});

/**
 * The owner of what this visitor stores in the browser, as {@link useOwner}.
 * @throws ProblemError, the error of the network
 */
export async function fetchOwner(): Promise<string> {
  const { signIn } = await queries.fetchQuery(serviceQuery);
  return signIn.method === "none" ? "" : (await queries.fetchQuery(callerQuery)).owner;
}

/** The caller as the service identifies it; undefined while that is unknown, or without sign-in. */
export function useCaller() {
  return useQuery({ ...callerQuery, enabled: useMayCall() }).data;
}

/** Whether the service can identify the user: nobody must sign in, or the user has. */
export function useMayCall(): boolean {
  const { session } = useSession();
  const service = useService();
  return service !== undefined && mayCall(service, session);
}

/** Whether the user may submit datasets; false until the role is known. */
export function useMaySubmit(): boolean {
  return useCaller()?.roles.some((role) => role === "submitter" || role === "admin") ?? false;
}

/** Whether datasets can be published; false until the service has responded. */
export function usePublishes(): boolean {
  const mode = useService()?.publication;
  return mode !== undefined && mode !== "off";
}

/**
 * Prefetches what every page needs; the pages report errors. Returns whether the visitor must sign in first.
 * @param isJoined resolves after the other tabs were asked for a session
 */
export async function prefetchService(isJoined: Promise<void>): Promise<{ signsInFirst: boolean }> {
  await queries.prefetchQuery(serviceQuery);
  const service = queries.getQueryData(serviceQuery.queryKey);
  if (service?.signIn.method !== "none") await isJoined;
  const session = currentSession();
  if (service === undefined) return { signsInFirst: false };
  // A provider’s token may have run out, and be renewed in a moment; a refusal would end the session before.
  if (mayCall(service, session) && session?.from !== "provider") void queries.prefetchQuery(callerQuery);
  return { signsInFirst: !mayCall(service, session) };
}

function mayCall({ signIn }: { signIn: { method: string } }, session: Session | undefined): boolean {
  return signIn.method === "none" || session !== undefined;
}

/** Checks whether the service accepts a token. @throws ProblemError, or the network error */
export async function tryToken(token: string): Promise<void> {
  const response = await fetch(new URL("caller", new URL("..", document.baseURI)), {
    headers: { authorization: `Bearer ${token}`, accept: "application/json" },
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new ProblemError(body as ProblemError["problem"]);
}

/**
 * The error of a request, also while the request is repeated, so that the error message and the focus on it stay in place.
 * Undefined if there is none.
 */
export function useQueryState({ error, isPending, isPlaceholderData = false, refetch }: Asked): QueryState | undefined {
  const last = useRef<Error>(null);
  if (error !== null || !(isPending || isPlaceholderData)) last.current = error;
  return last.current === null ? undefined : { error: last.current, onRetry: () => void refetch() };
}

/**
 * The data of a request, or the last ones of an earlier request for the same thing, such as for its texts in another language.
 * What the user has entered between them is not lost when the request fails.
 * @param of names the thing
 */
export function useKept<Data>(data: Data | undefined, of: string): Data | undefined {
  const kept = useRef<{ of: string; data: Data }>(undefined);
  if (data !== undefined) kept.current = { of, data };
  return kept.current?.of === of ? kept.current.data : undefined;
}

/** Whether the page stays as it is, with a notice, when this error occurs: it may pass, and refuses nothing. */
export function isPassing(trouble: QueryState | undefined): boolean {
  return trouble !== undefined && mayGetBetter(trouble.error);
}

/** The owner of what this visitor stores in the browser: empty if the service requires no sign-in, undefined until it is known. */
export function useOwner(): string | undefined {
  const isOpen = useService()?.signIn.method === "none";
  const owner = useCaller()?.owner;
  const [known, setKnown] = useState<string>();
  // The caller is fetched again when a token is renewed; the owner stays the same.
  if (owner !== undefined && owner !== known) setKnown(owner);
  return isOpen ? "" : (owner ?? known);
}
