import { Anchor, Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SERVICE_URL } from "../api/client.ts";
import { queries, useIsReached } from "../api/queries.ts";
import { useService } from "../api/service.ts";
import { useRenewal } from "./App.tsx";
import { Header } from "./Header.tsx";
import classes from "./Shell.module.css";

/** Id of the content. */
const MAIN = "content";

/** What is around every room. */
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

/** Which software this is, and where programs find their way. */
function Footer() {
  const { t } = useTranslation("shell");
  const service = useService();
  return (
    <footer className={classes.footer}>
      <span>{service !== undefined && t("footer", { version: service.version })}</span>
      <Anchor href={`${SERVICE_URL}docs/`} inherit>
        {t("api")}
      </Anchor>
    </footer>
  );
}

/** The first thing that Tab reaches: leads past the header. */
export function SkipLink() {
  const { t } = useTranslation("shell");
  return (
    <a
      className={classes.skip}
      href={`${location.pathname}${location.search}#${MAIN}`}
      onClick={(event) => {
        // An address of its own would be a step back in the browser’s history for nothing.
        event.preventDefault();
        document.getElementById(MAIN)?.focus();
      }}
    >
      {t("skip")}
    </a>
  );
}

/** Says that the service does not answer, over the page and without moving it, until it does. */
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
