import { useTranslation } from "react-i18next";
import type { Provider } from "../api/session/provider.ts";
import { ProviderUnreachable } from "../api/session/session.ts";
import { TroubleAlert } from "../ui/problem/ProblemAlert.tsx";

/** Reports that a sign-in at the identity provider failed, and what to do. */
export function ProviderFailure({ provider, error }: { provider: Provider; error: Error }) {
  const { t } = useTranslation("sign-in");
  const { host } = new URL(provider.issuer);
  const reason =
    error instanceof ProviderUnreachable ? { detail: t("provider.unreachable", { host }) } : { message: error.message };
  return <TroubleAlert trouble={{ title: t("provider.failed"), ...reason }} />;
}
