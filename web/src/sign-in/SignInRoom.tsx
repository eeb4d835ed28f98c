import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link, Redirect } from "wouter";
import { useAddress } from "../api/address.ts";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { EndedNotice } from "./EndedNotice.tsx";
import { ProviderSignIn } from "./ProviderSignIn.tsx";
import { TokenSignIn } from "./TokenSignIn.tsx";

/** Where one signs in, in the way that the service wants it, and goes back to where one was. */
export default function SignInRoom() {
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
        {t("none.back")}
      </Button>
    </Stack>
  );
}

/** A path of this page: an address from elsewhere must not lead anybody away. */
function wayBack(from: string | null): string {
  return from !== null && /^\/(?![/\\])/.test(from) ? from : "/";
}
