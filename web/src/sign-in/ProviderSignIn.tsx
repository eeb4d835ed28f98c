import { Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Provider } from "../api/provider.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";

/** Leads to the operator’s identity provider. */
export function ProviderSignIn({ provider, from }: { provider: Provider; from: string }) {
  const { t } = useTranslation("sign-in");
  const go = useMutation({
    mutationFn: async () => (await import("../api/provider.ts")).goToProvider(provider, from),
  });
  const { host } = new URL(provider.issuer);
  if (provider.clientId === null) {
    const trouble = { title: t("provider.missing"), detail: t("provider.missingDetail", { host }) };
    return <TroubleAlert tone="warn" trouble={trouble} />;
  }
  return (
    <Stack align="flex-start">
      {go.error !== null && <TroubleAlert trouble={{ title: t("provider.failed"), detail: go.error.message }} />}
      <Text c="dimmed">{t("provider.detail", { host })}</Text>
      <BusyButton isBusy={go.isPending} onClick={() => go.mutate()}>
        {t("provider.submit", { host })}
      </BusyButton>
    </Stack>
  );
}
