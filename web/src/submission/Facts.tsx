import type { Submission } from "@accession/client";
import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Connection } from "../api/listening.ts";
import { useIsReached } from "../api/reach.ts";
import { isOver } from "../api/submissions.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { CancelButton } from "./CancelButton.tsx";
import classes from "./Submission.module.css";

/** Where the data come from and since when; whether the page hears of every change; the way out. */
export function Facts({ submission, connection }: { submission: Submission; connection: Connection }) {
  const { t } = useTranslation("submission");
  const { id, status, source, createdAt, attempt } = submission;
  const isUnderWay = !isOver(status);
  // A stream of a service that does not answer may be dead, whatever it has not said.
  const shown = useIsReached() ? connection : "away";
  return (
    <Group justify="space-between" gap="xs" mih={36}>
      <Text c="dimmed" size="sm" className={classes.facts}>
        {t("facts.source", { bucket: source.bucket, host: hostOf(source.endpoint) })} · {t("facts.submitted")}{" "}
        <DateTime iso={createdAt} />
        {attempt > 1 && <> · {t("facts.attempt", { attempt })}</>}
      </Text>
      <Group gap="md">
        {isUnderWay && (
          <span className={classes.connection} data-connection={shown} role="status">
            {t(`connection.${shown}`)}
          </span>
        )}
        {(isUnderWay || status === "failed") && <CancelButton id={id} />}
      </Group>
    </Group>
  );
}

function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).host : endpoint;
}
