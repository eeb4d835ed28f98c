import { useSyncExternalStore } from "react";
import { inTab } from "./storage.ts";

/** As whom the page calls the service. */
export interface Session {
  token: string;
  /** Pasted, or given by the identity provider. */
  from: "token" | "provider";
}

/** What the page knows of being signed in. */
export interface SessionState {
  session: Session | undefined;
  /** The service no longer takes the token that was used: whoever is asked to sign in again wants to know why. */
  isRefused: boolean;
}

/** Kept as long as the tab is open; `handover.ts` passes it on to other tabs, and no longer than one is open it is kept. */
const PLACE = "accession.session";

let state: SessionState = { session: read(), isRefused: false };
const listeners = new Set<() => void>();

/** The present session; undefined while nobody has signed in. */
export function currentSession(): Session | undefined {
  return state.session;
}

/** Signs in, or goes on with a renewed token. */
export function beginSession(session: Session): void {
  inTab.write(PLACE, session);
  change({ session, isRefused: false });
}

/** Signs out. @param refused the token that the service refused; one that was renewed meanwhile goes on */
export function endSession(refused?: string): void {
  if (refused !== undefined && refused !== state.session?.token) return;
  inTab.remove(PLACE);
  change({ session: undefined, isRefused: refused !== undefined });
}

/** The session, as components follow it. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Calls back after every change. Gives what ends that. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function read(): Session | undefined {
  const { token, from } = (inTab.read(PLACE) ?? {}) as Partial<Session>;
  return typeof token === "string" && (from === "token" || from === "provider") ? { token, from } : undefined;
}
