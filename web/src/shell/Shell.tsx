import { Anchor, Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { SERVICE_URL } from "../api/client.ts";
import { queries, useIsReached } from "../api/queries.ts";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session/session.ts";
import { visible } from "../ui/text/format.ts";
import { Header, MAIN } from "./Header.tsx";
import classes from "./Shell.module.css";

/** Id of the content. */

/** Header and footer of every page. */
export function Shell({ children }: { children: ReactNode }) {
  useRenewal();
  return (
    <div className={classes.page}>
      <Header />
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Footer />
      <Unreachable />
    </div>
  );
}

/** The institution that runs the archive, the version of the software, and a link to the API documentation. */
function Footer() {
  const { t, i18n } = useTranslation("shell");
  const service = useService();
  return (
    <footer className={classes.footer}>
      <span>
        {service !== undefined && service.publisher !== t("name") && `${visible(service.publisher)} · `}
        {service !== undefined && t("footer", { version: service.version })}
      </span>
      <span className={classes.links}>
        {service?.links?.[i18n.language as "en" | "de"]?.map(({ text, url }) => (
          <Anchor key={url} href={url} inherit>
            {text}
          </Anchor>
        ))}
        <Anchor href={`${SERVICE_URL}docs/`} inherit>
          {t("api")}
        </Anchor>
      </span>
    </footer>
  );
}

/** A notice over the page while the service does not respond. */
function Unreachable() {
  const { t } = useTranslation("shell");
  const isReached = useIsReached();
  return (
    <div role="status">
      {!isReached && (
        <div className={classes.notice}>
          <div>
            <Text fw={650}>{t("unreachable.title")}</Text>
            <Text size="sm">{t("unreachable.detail")}</Text>
          </div>
          <Button variant="default" onClick={() => void queries.refetchQueries({ type: "active" })}>
            {t("unreachable.retry")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Renews the token of an identity provider, also after the page was reloaded. */
function useRenewal(): void {
  const provider = useService()?.signIn.provider ?? null;
  const isFromProvider = useSession().session?.from === "provider";
  useEffect(() => {
    if (provider === null || !isFromProvider) return;
    // If this fails, the token expires and the page asks the user to sign in.
    import("../api/session/provider.ts").then(({ resume }) => resume(provider)).catch(() => undefined);
  }, [provider, isFromProvider]);
}
