import { dropDraftsOf } from "../browser/storage.ts";
import { queries } from "../queries.ts";
import { serviceQuery } from "../service.ts";
import { currentSession, endSession } from "./session.ts";
import { announceSignOut } from "./tab-session.ts";

/**
 * Ends the session in all of its tabs, and at the identity provider if it began there. This also deletes drafts: all that
 * the user has in this browser.
 */
export async function signOut(): Promise<void> {
  const session = currentSession();
  endHere();
  if (session === undefined) return;
  announceSignOut(session.id);
  const provider = queries.getQueryData(serviceQuery.queryKey)?.signIn.provider ?? null;
  if (session.from !== "provider" || provider === null) return;
  const { leaveProvider } = await import("./provider.ts");
  // The page session has already ended.
  await leaveProvider(provider).catch(() => undefined);
}

/**
 * Ends the session in this tab because the user signed out in another one, and deletes what the identity provider issued.
 * Deletes the user's drafts again: this tab may have saved one since.
 */
export function forgetHere(): void {
  endHere();
  try {
    for (const place of Object.keys(sessionStorage)) if (place.startsWith("oidc.")) sessionStorage.removeItem(place);
  } catch {
    // A browser that denies access to its storage has stored nothing.
  }
}

function endHere(): void {
  const caller = queries.getQueryData<{ owner: string }>(["caller"]);
  if (caller !== undefined) dropDraftsOf(caller.owner);
  endSession();
}
