import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { queries } from "../api/queries.ts";
import { useIsReached } from "../api/reach.ts";
import classes from "./Shell.module.css";

/** Says that the service does not answer, over the page and without moving it, until it does. */
export function Unreachable() {
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
