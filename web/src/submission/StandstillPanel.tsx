import { ProblemError, type Submission } from "@accession/client";
import { Anchor, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRetry } from "../api/submissions.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { useFormats } from "../ui/format.ts";
import { ProblemAlert, TroubleAlert } from "../ui/ProblemAlert.tsx";
import { useCaughtFocus } from "../ui/useCaughtFocus.ts";
import { CredentialsForm } from "./CredentialsForm.tsx";
import { ExcludeForm } from "./ExcludeForm.tsx";

/** The actions for a submission that has stopped, each with a dialog. */
type Help = "credentials" | "retry" | "exclude";

interface Props {
  submission: Submission;
  standstill: NonNullable<Submission["waiting"] | Submission["failure"]>;
  /** Shows the unreadable objects in the table of files. */
  onShowUnreadable: () => void;
}

/** Why a submission waits, who must act, and the buttons for it. */
export function StandstillPanel({ submission, standstill, onShowUnreadable }: Props) {
  const { t } = useTranslation("submission");
  const { dateTime } = useFormats();
  const [dialog, setDialog] = useState<Help>();
  const retry = useRetry(submission.id);
  const place = useCaughtFocus<HTMLDivElement>(dialog !== undefined);
  const { code, fault, message, action, until } = standstill;
  const close = () => setDialog(undefined);
  const help: Record<Help, () => void> = {
    credentials: () => setDialog("credentials"),
    exclude: () => setDialog("exclude"),
    // A failed submission has no credentials any more; only the service knows whether a retry needs them.
    retry: () => retry.mutate(undefined, { onError: (error) => isWithoutCredentials(error) && setDialog("retry") }),
  };
  return (
    <>
      <TroubleAlert
        tone={submission.waiting === null ? "bad" : "warn"}
        trouble={{ title: message, action, fault, code }}
      >
        {code === "objects_unreadable" && (
          <p>
            <Anchor component="button" type="button" inherit underline="always" onClick={onShowUnreadable}>
              {t("standstill.unreadable")}
            </Anchor>
          </p>
        )}
        {fault === "source" && submission.waiting !== null && <p>{t("standstill.looks")}</p>}
        {until !== null && <p>{t("standstill.until", { date: dateTime(until) })}</p>}
        <Group gap="sm" py="xs" ref={place}>
          {helpFor(submission).map((name, index) => (
            <BusyButton
              key={name}
              variant={index === 0 ? "filled" : "default"}
              isBusy={name === "retry" && retry.isPending}
              onClick={help[name]}
            >
              {t(`standstill.${name}`)}
            </BusyButton>
          ))}
        </Group>
      </TroubleAlert>
      {retry.error !== null && !isWithoutCredentials(retry.error) && <ProblemAlert error={retry.error} />}
      {/* Rendered also while they are closed, so that the focus returns to the buttons that opened them. */}
      {(["credentials", "retry"] as const).map((name) => {
        const isRetry = name === "retry";
        return (
          <Dialog
            key={name}
            isOpen={dialog === name}
            title={t(isRetry ? "credentials.titleRetry" : "credentials.title")}
            onClose={close}
          >
            <CredentialsForm submission={submission} isRetry={isRetry} onClose={close} />
          </Dialog>
        );
      })}
      <Dialog isOpen={dialog === "exclude"} title={t("exclude.title")} size="lg" onClose={close}>
        <ExcludeForm submission={submission} onClose={close} />
      </Dialog>
    </>
  );
}

function isWithoutCredentials(error: Error): boolean {
  return error instanceof ProblemError && error.problem.code === "credentials_required";
}

/** The actions that can help, the most likely one first. */
function helpFor({ status, waiting }: Pick<Submission, "status" | "waiting">): Help[] {
  if (status === "failed") return ["retry"];
  if (waiting === null) return [];
  if (waiting.code === "objects_unreadable") return ["retry", "exclude", "credentials"];
  // New credentials solve no other problem, such as a deleted bucket, an unreachable server or a full disk.
  return waiting.code === "credentials_rejected" ? ["credentials", "retry"] : ["retry"];
}
