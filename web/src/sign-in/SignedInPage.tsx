import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, Redirect } from "wouter";
import { useService } from "../api/service.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";

/** The page to which the identity provider redirects. */
export default function SignedInPage() {
  const { t } = useTranslation("sign-in");
  const provider = useService()?.signIn.provider ?? null;
  const arrival = useQuery({
    queryKey: ["service", "arrival"],
    queryFn: async () => {
      if (provider === null) return "/";
      return (await import("../api/provider.ts")).comeFromProvider(provider);
    },
    enabled: provider !== null,
    // A code can be redeemed once.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (arrival.data !== undefined) return <Redirect to={arrival.data} replace />;
  if (arrival.error === null) return <PageHeading title={t("provider.returning")} />;
  return (
    <Stack align="flex-start" maw="40rem">
      <PageHeading title={t("title")} />
      <TroubleAlert trouble={{ title: t("provider.failed"), message: arrival.error.message }} />
      <Button component={Link} href="/sign-in">
        {t("provider.again")}
      </Button>
    </Stack>
  );
}
