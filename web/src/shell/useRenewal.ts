import { useEffect } from "react";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session.ts";

/** Keeps the token of an identity provider fresh, also after the page was loaded anew. */
export function useRenewal(): void {
  const provider = useService()?.signIn.provider ?? null;
  const isFromProvider = useSession().session?.from === "provider";
  useEffect(() => {
    if (provider === null || !isFromProvider) return;
    // One that fails is a token that runs out: the service says so, and the page asks to sign in.
    import("../api/provider.ts").then(({ resume }) => resume(provider)).catch(() => undefined);
  }, [provider, isFromProvider]);
}
