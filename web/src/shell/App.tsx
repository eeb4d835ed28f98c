import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { Router } from "wouter";
import { PAGE_PATH } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session.ts";
import { theme, variables } from "../theme/theme.ts";
import { Rooms } from "./Rooms.tsx";
import { Shell } from "./Shell.tsx";

/** The page. @param nonce lets styles in that are made while it runs */
export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Router base={PAGE_PATH}>
          <Shell>
            <Rooms />
          </Shell>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}

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
