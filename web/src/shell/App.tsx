import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { Route, Router, Switch } from "wouter";
import { PAGE_PATH } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { theme, variables } from "../theme/theme.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { REVIEW, Routes } from "./Routes.tsx";
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
          <Switch>
            <Route path={REVIEW.pattern}>
              <ErrorBoundary at={REVIEW.pattern}>
                <REVIEW.Page id="" />
              </ErrorBoundary>
            </Route>
            <Route>
              <Shell>
                <Routes />
              </Shell>
            </Route>
          </Switch>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}
