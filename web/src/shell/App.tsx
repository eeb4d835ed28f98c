import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { Router } from "wouter";
import { PAGE_PATH } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { theme, variables } from "../theme/theme.ts";
import { Routes } from "./Routes.tsx";
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
            <Routes />
          </Shell>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}
