import { useSyncExternalStore } from "react";
import { inTab, randomId } from "../browser/storage.ts";

/** The credentials with which the page calls the service. */
interface Credentials {
  token: string;
  /** Pasted by the user, or issued by the identity provider. */
  from: "token" | "provider";
}

/** Credentials from sign-in to sign-out. */
export interface Session extends Credentials {
  /** Random. Stays the same when the token is renewed and in every tab of the session; identifies no user. */
  id: string;
}

/** Whether the user is signed in. */
interface SessionState {
  session: Session | undefined;
  /** The last session, if it ended because the service rejected its token: the sign-in page explains that. */
  rejected: Session | undefined;
}

/** Stored for this tab. `tab-session.ts` passes it on to other tabs. The token is discarded when the last tab closes. */
const PLACE = "accession.session";

let state: SessionState = { session: read(), rejected: undefined };
const listeners = new Set<() => void>();

/** The current session; undefined if the user is not signed in. */
export function currentSession(): Session | undefined {
  return state.session;
}

/** The session that ended because the service rejected its token; undefined if another one has begun since. */
export function rejectedSession(): Session | undefined {
  return state.rejected;
}

/** Signs in: a new session begins. */
export function signIn(credentials: Credentials): void {
  beginSession({ ...credentials, id: randomId() });
}

/** Continues the session with a new token of the identity provider, also after the service rejected the old token. */
export function renewSession(token: string): void {
  const before = state.session ?? state.rejected;
  beginSession({ token, from: "provider", id: before?.from === "provider" ? before.id : randomId() });
}

/** Takes over a session of another tab. */
export function beginSession(session: Session): void {
  inTab.write(PLACE, session);
  change({ session, rejected: undefined });
}

/** Ends the session in this tab. @param refused a token that the service rejected; a session with a newer one continues */
export function endSession(refused?: string): void {
  if (refused !== undefined && refused !== state.session?.token) return;
  const rejected = refused === undefined ? undefined : state.session;
  inTab.remove(PLACE);
  change({ session: undefined, rejected });
}

/** The session, for components. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Calls the listener after every change. Returns a function that unsubscribes it. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function read(): Session | undefined {
  const stored = inTab.read(PLACE);
  const session = sessionIn({ id: randomId(), ...(typeof stored === "object" ? stored : undefined) });
  if (session !== undefined) inTab.write(PLACE, session);
  return session;
}

/** The session in a value of unknown origin; undefined if it has another form. */
export function sessionIn(value: unknown): Session | undefined {
  const { id, token, from } = (value ?? {}) as Partial<Session>;
  if (typeof id !== "string" || typeof token !== "string") return undefined;
  return from === "token" || from === "provider" ? { id, token, from } : undefined;
}

/** The browser cannot reach the identity provider, or it did not respond in time. */
export class ProviderUnreachable extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
