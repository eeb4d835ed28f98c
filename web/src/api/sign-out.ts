import { dropDraftsOf } from "./drafts.ts";
import { sayOut } from "./handover.ts";
import { queries } from "./queries.ts";
import { serviceQuery } from "./service.ts";
import { currentSession, endSession } from "./session.ts";

/**
 * Signs out of the page in all tabs, and of the identity provider where one signed in there. What was being written goes,
 * too.
 */
export async function signOut(): Promise<void> {
  const isFromProvider = currentSession()?.from === "provider";
  endHere();
  sayOut();
  const provider = queries.getQueryData(serviceQuery.queryKey)?.signIn.provider ?? null;
  if (!isFromProvider || provider === null) return;
  const { leaveProvider } = await import("./provider.ts");
  // Out of the page one is in any case.
  await leaveProvider(provider).catch(() => undefined);
}

/** Signs this tab out because another one did, and forgets what the identity provider gave it. */
export function forgetHere(): void {
  endHere();
  try {
    for (const place of Object.keys(sessionStorage)) if (place.startsWith("oidc.")) sessionStorage.removeItem(place);
  } catch {
    // A browser that refuses to be looked into has kept nothing.
  }
}

function endHere(): void {
  const caller = queries.getQueryData<{ owner: string }>(["caller"]);
  if (caller !== undefined) dropDraftsOf(caller.owner);
  endSession();
}
