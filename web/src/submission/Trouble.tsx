import { ProblemError, type Submission } from "@accession/client";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRetry } from "../api/submissions.ts";
import { useFormats } from "../ui/format.ts";
import { ProblemAlert, TroubleAlert } from "../ui/ProblemAlert.tsx";
import { CredentialsDialog } from "./CredentialsDialog.tsx";
import { ExcludeDialog } from "./ExcludeDialog.tsx";
import { type Help, helpFor } from "./help.ts";

type Dialog = "credentials" | "retry" | "exclude";

/** Why a submission stands still, whose turn it is, and the buttons that help. */
export function Trouble({ submission }: { submission: Submission }) {
  const { t } = useTranslation("submission");
  const { dateTime } = useFormats();
  const [dialog, setDialog] = useState<Dialog>();
  const retry = useRetry(submission.id);
  const standstill = submission.waiting ?? submission.failure;
  if (standstill === null) return null;
  const { code, fault, message, action, until } = standstill;
  const close = () => setDialog(undefined);
  const help: Record<Help, () => void> = {
    credentials: () => setDialog("credentials"),
    exclude: () => setDialog("exclude"),
    // One that failed has no credentials any more: only the service knows whether it needs some.
    retry: () => retry.mutate(undefined, { onError: (error) => isWithoutCredentials(error) && setDialog("retry") }),
  };
  return (
    <>
      <TroubleAlert
        tone={submission.waiting === null ? "bad" : "warn"}
        trouble={{ title: message, action, fault, code }}
      >
        {fault === "source" && submission.waiting !== null && <p>{t("trouble.looks")}</p>}
        {until !== null && <p>{t("trouble.until", { date: dateTime(until) })}</p>}
        <Group gap="sm" py="xs">
          {helpFor(submission).map((name, index) => (
            <Button
              key={name}
              variant={index === 0 ? "filled" : "default"}
              loading={name === "retry" && retry.isPending}
              onClick={help[name]}
            >
              {t(`trouble.${name}`)}
            </Button>
          ))}
        </Group>
      </TroubleAlert>
      {retry.error !== null && !isWithoutCredentials(retry.error) && <ProblemAlert error={retry.error} />}
      {(dialog === "credentials" || dialog === "retry") && (
        <CredentialsDialog submission={submission} isRetry={dialog === "retry"} onClose={close} />
      )}
      {dialog === "exclude" && <ExcludeDialog submission={submission} onClose={close} />}
    </>
  );
}

function isWithoutCredentials(error: Error): boolean {
  return error instanceof ProblemError && error.problem.code === "credentials_required";
}
