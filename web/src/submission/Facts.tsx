import type { Submission } from "@accession/client";
import { isOver } from "@accession/client";
import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Connection } from "../api/live.ts";
import { useIsReached } from "../api/queries.ts";
import { useCancel } from "../api/submissions.ts";
import { ConfirmDialog } from "../ui/Dialog.tsx";
import { DateTime } from "../ui/Numbers.tsx";
import { useCaughtFocus } from "../ui/useCaughtFocus.ts";
import classes from "./Submission.module.css";

/** Data source, date of submission, state of the live connection, and the button that cancels the submission. */
export function Facts({ submission, connection }: { submission: Submission; connection: Connection }) {
  const { t } = useTranslation("submission");
  const { id, status, source, createdAt, attempt } = submission;
  const isInProgress = !isOver(status);
  // If the service does not respond, the event stream may be dead although it has reported no error.
  const shown = useIsReached() ? connection : "away";
  return (
    <Group justify="space-between" gap="xs" mih={36}>
      <Text c="dimmed" size="sm" style={{ overflowWrap: "anywhere" }}>
        {t("facts.source", { bucket: source.bucket, host: hostOf(source.endpoint) })} · {t("facts.submitted")}{" "}
        <DateTime iso={createdAt} />
        {attempt > 1 && <> · {t("facts.attempt", { attempt })}</>}
      </Text>
      <Group gap="md">
        {isInProgress && (
          <span className={classes.connection} data-connection={shown} role="status">
            {t(`connection.${shown}`)}
          </span>
        )}
        {(isInProgress || status === "failed") && <CancelButton id={id} />}
      </Group>
    </Group>
  );
}

function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).host : endpoint;
}

/** Cancels a submission after a confirmation. */
function CancelButton({ id }: { id: string }) {
  const { t } = useTranslation("submission");
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancel(id);
  const place = useCaughtFocus<HTMLButtonElement>(isAsking);
  const close = () => {
    setAsking(false);
    cancel.reset();
  };
  return (
    <>
      <Button ref={place} variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        {t("cancel.open")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("cancel.title")}
        detail={t("cancel.detail")}
        confirm={t("cancel.open")}
        dismiss={t("cancel.keep")}
        isDangerous
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSuccess: close })}
        error={cancel.error}
        onClose={close}
      />
    </>
  );
}
