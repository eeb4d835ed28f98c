import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SERVICE_URL } from "../api/client.ts";
import { useService } from "../api/service.ts";
import classes from "./Shell.module.css";

/** Which software this is, and where programs find their way. */
export function Footer() {
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
