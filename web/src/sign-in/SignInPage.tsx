import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect } from "wouter";
import { useAddress } from "../api/browser/address.ts";
import { PAGE_PATH } from "../api/client.ts";
import { tryToken, useService } from "../api/service.ts";
import type { Provider } from "../api/session/provider.ts";
import { signIn, useSession } from "../api/session/session.ts";
import { SHARES_SESSION } from "../api/session/tab-session.ts";
import { waitsForSignIn } from "../api/session/unsent.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert, TroubleAlert } from "../ui/problem/ProblemAlert.tsx";
import { ProviderFailure } from "./ProviderFailure.tsx";

/** The sign-in page. After signing in, it returns to the previous page. */
export default function SignInPage() {
  const { t } = useTranslation("sign-in");
  const service = useService();
  const { session, rejected } = useSession();
  const [params] = useAddress();
  const from = wayBack(params.get("from"));
  if (service?.signIn.method === "none") return <NobodyHasTo />;
  if (session !== undefined) return <Redirect to={from} replace />;
  const provider = service?.signIn.provider ?? null;
  return (
    <Stack maw="30rem" gap="lg">
      <PageHeading title={t("title")} />
      {rejected !== undefined && <EndedNotice />}
      {service?.signIn.method === "tokens" && <TokenSignIn />}
      {provider !== null && <ProviderSignIn provider={provider} from={from} />}
    </Stack>
  );
}

function NobodyHasTo() {
  const { t } = useTranslation("sign-in");
  return (
    <Stack align="flex-start">
      <PageHeading title={t("none.title")} />
      <Text c="dimmed">{t("none.detail")}</Text>
      <Button component={Link} href="/">
        {t("viewSubmissions", { ns: "ui" })}
      </Button>
    </Stack>
  );
}

/** A path of this page; addresses of other sites are ignored. */
function wayBack(from: string | null): string {
  return from !== null && /^\/(?![/\\])/.test(from) ? from : "/";
}

/** Explains why the user must sign in again. */
function EndedNotice() {
  const { t } = useTranslation("sign-in");
  return (
    <TroubleAlert tone="warn" trouble={{ title: t("ended") }}>
      {waitsForSignIn() && <p>{t("uploading")}</p>}
    </TroubleAlert>
  );
}

/** Redirects to the identity provider of the operator. */
function ProviderSignIn({ provider, from }: { provider: Provider; from: string }) {
  const { t } = useTranslation("sign-in");
  const go = useMutation({
    mutationFn: async () => (await import("../api/session/provider.ts")).goToProvider(provider, from),
  });
  const { host } = new URL(provider.issuer);
  if (provider.clientId === null) {
    const trouble = { title: t("provider.missing"), detail: t("provider.missingDetail", { host }) };
    return <TroubleAlert tone="warn" trouble={trouble} />;
  }
  return (
    <Stack align="flex-start">
      {go.error !== null && <ProviderFailure provider={provider} error={go.error} />}
      <Text c="dimmed">{t("provider.detail", { host })}</Text>
      <BusyButton isBusy={go.isPending} onClick={() => go.mutate()}>
        {t("provider.submit", { host })}
      </BusyButton>
      {waitsForSignIn() && SHARES_SESSION && (
        <Anchor href={`${PAGE_PATH}/sign-in`} target="_blank" rel="noopener" underline="always">
          {t("provider.newWindow")}
        </Anchor>
      )}
    </Stack>
  );
}

/** Why a text is no access token. */
type Refusal = "required" | "reviewerLink" | "accessLink";

/** The page recognises secrets of links, so that nobody asks the operator why such a secret is not accepted. */
function refusalOf(text: string): Refusal | undefined {
  if (text === "") return "required";
  if (/(?:^|#)rev_/.test(text)) return "reviewerLink";
  return /(?:^|#)grant_/.test(text) ? "accessLink" : undefined;
}

/** Signs in with an access token, after the service has accepted it. */
function TokenSignIn() {
  const { t } = useTranslation("sign-in");
  const [token, setToken] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const attempt = useMutation({
    mutationFn: tryToken,
    onSuccess: (_, tried) => signIn({ token: tried, from: "token" }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim();
    const why = refusalOf(given);
    setRefusal(why);
    if (why === undefined) attempt.mutate(given);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {attempt.error !== null && <ProblemAlert error={attempt.error} />}
        <PasswordInput
          label={t("token.label")}
          description={t("token.description")}
          error={refusal !== undefined && t(`token.${refusal}`)}
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <BusyButton type="submit" isBusy={attempt.isPending} style={{ alignSelf: "flex-start" }}>
          {t("title")}
        </BusyButton>
      </Stack>
    </form>
  );
}
