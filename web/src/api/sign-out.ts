import { queries } from "./queries.ts";
import { serviceQuery } from "./service.ts";
import { currentSession, endSession } from "./session.ts";

/** Signs out of the page, and of the identity provider where one signed in there. */
export async function signOut(): Promise<void> {
  const isFromProvider = currentSession()?.from === "provider";
  endSession();
  const provider = queries.getQueryData(serviceQuery.queryKey)?.signIn.provider ?? null;
  if (!isFromProvider || provider === null) return;
  const { leaveProvider } = await import("./provider.ts");
  // Out of the page one is in any case.
  await leaveProvider(provider).catch(() => undefined);
}
