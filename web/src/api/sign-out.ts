import { dropDraftsOf } from "./drafts.ts";
import { queries } from "./queries.ts";
import { serviceQuery } from "./service.ts";
import { currentSession, endSession } from "./session.ts";

/** Signs out of the page, and of the identity provider where one signed in there. What was being written goes, too. */
export async function signOut(): Promise<void> {
  const isFromProvider = currentSession()?.from === "provider";
  const caller = queries.getQueryData<{ owner: string }>(["caller"]);
  if (caller !== undefined) dropDraftsOf(caller.owner);
  endSession();
  const provider = queries.getQueryData(serviceQuery.queryKey)?.signIn.provider ?? null;
  if (!isFromProvider || provider === null) return;
  const { leaveProvider } = await import("./provider.ts");
  // Out of the page one is in any case.
  await leaveProvider(provider).catch(() => undefined);
}
