import { Button, Stack } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect } from "wouter";
import { useService } from "../api/service.ts";
import type { Provider } from "../api/session/provider.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProviderFailure } from "./ProviderFailure.tsx";

/** The page to which the identity provider redirects. */
export default function SignedInPage() {
  const { t } = useTranslation("sign-in");
  const service = useService();
  if (service === undefined) return <PageHeading title={t("provider.returning")} />;
  const { provider } = service.signIn;
  return provider === null ? <Redirect to="/" replace /> : <Arrival provider={provider} />;
}

/** Completes the sign-in, and leads back to where it began. */
function Arrival({ provider }: { provider: Provider }) {
  const { t } = useTranslation("sign-in");
  const { path, error } = useArrival(provider);
  if (path !== undefined) return <Redirect to={path} replace />;
  if (error === undefined) return <PageHeading title={t("provider.returning")} />;
  return (
    <Stack align="flex-start" maw="40rem">
      <PageHeading title={t("title")} />
      <ProviderFailure provider={provider} error={error} />
      <Button component={Link} href="/sign-in">
        {t("provider.again")}
      </Button>
    </Stack>
  );
}

/** The path to return to, or the error. Not a query: an address can be used once, and its failure is not the service’s. */
function useArrival(provider: Provider): { path?: string; error?: Error } {
  const [arrival, setArrival] = useState<{ path?: string; error?: Error }>({});
  // The service’s description does not change while the page is open.
  const [first] = useState(provider);
  useEffect(() => {
    const come = async () => (await import("../api/session/provider.ts")).comeFromProvider(first);
    come().then(
      (path) => setArrival({ path }),
      (error: Error) => setArrival({ error }),
    );
  }, [first]);
  return arrival;
}
