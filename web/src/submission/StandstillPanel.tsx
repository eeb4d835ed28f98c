import { ProblemError, type Submission } from "@accession/client";
import { Anchor, Checkbox, Group, PasswordInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCaller } from "../api/service.ts";
import { useNewCredentials, useRetry } from "../api/submissions.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Dialog, DialogForm } from "../ui/Dialog.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { ProblemAlert, TroubleAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFieldError } from "../ui/problem/problemWords.ts";
import { useFormats } from "../ui/text/format.ts";
import { useCaughtFocus } from "../ui/useCaughtFocus.ts";
import { ExcludeForm } from "./ExcludeForm.tsx";

/** Loaded if the service can assume roles. */
const RoleField = lazyLoaded(() => import("../role/RoleField.tsx"));

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

interface CredentialsFormProps {
  submission: Submission;
  /** Whether the credentials start a new attempt. */
  isRetry: boolean;
  onClose: () => void;
}

const EMPTY = { accessKey: "", secretKey: "", sessionToken: "", roleArn: "" };
type Name = keyof typeof EMPTY;

/** Asks for new credentials of the bucket. They exist only while the dialog is open. */
function CredentialsForm({ submission: { id, source, owner }, isRetry, onClose }: CredentialsFormProps) {
  const { t } = useTranslation("submission");
  const [given, setGiven] = useState(EMPTY);
  const [pays, setPays] = useState(false);
  const [isSent, setSent] = useState(false);
  const replace = useNewCredentials(id);
  const retry = useRetry(id);
  const { mutate, isPending, error } = isRetry ? retry : replace;
  const caller = useCaller();
  // The external id is that of the owner.
  const roleAccess = caller?.owner === owner ? caller?.roleAccess : undefined;
  const { roleArn } = given;
  const isRole = roleArn !== "";
  const send = () => {
    setSent(true);
    const { accessKey, secretKey, sessionToken } = given;
    if (!isRole && (accessKey === "" || secretKey === "")) return;
    const keys = { accessKey, secretKey, ...(sessionToken !== "" && { sessionToken }) };
    mutate({ ...(isRole ? { roleArn } : keys), ...(pays && { requesterPays: true }) }, { onSuccess: onClose });
  };
  const isRequired = (name: Name) => !isRole && (name === "accessKey" || name === "secretKey");
  const fieldError = useFieldError(error);
  const labels: Record<Name, string> = {
    accessKey: t("credentials.accessKey"),
    secretKey: t("credentials.secretKey"),
    sessionToken: t("credentials.sessionToken"),
    roleArn: t("dataSource.roleArn", { ns: "new" }),
  };
  const field = (name: Name) => ({
    label: labels[name],
    name,
    value: given[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
      setGiven((before) => ({ ...before, [name]: value.trim() })),
    error:
      fieldError(`/s3Access/${name}`) ??
      (isSent && isRequired(name) && given[name] === "" && t("credentials.required")),
    required: isRequired(name),
    disabled: isRole && name !== "roleArn",
    spellCheck: false,
  });
  const eyeOf = (name: Name) => ({
    visibilityToggleButtonProps: {
      "aria-label": t("credentials.show", { what: labels[name] }),
      tabIndex: 0,
    },
  });
  return (
    <DialogForm
      submit={isRetry ? t("retry", { ns: "ui" }) : t("credentials.title")}
      isBusy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <Text size="sm">{t(isRetry ? "credentials.detailRetry" : "credentials.detail", { bucket: source.bucket })}</Text>
      <TextInput {...field("accessKey")} autoComplete="username" data-autofocus />
      <PasswordInput {...field("secretKey")} {...eyeOf("secretKey")} autoComplete="current-password" />
      <PasswordInput
        {...field("sessionToken")}
        {...eyeOf("sessionToken")}
        description={t("credentials.optional")}
        autoComplete="off"
      />
      {roleAccess != null && <RoleField access={roleAccess} field={field("roleArn")} />}
      <Checkbox
        label={t("credentials.requesterPays")}
        description={t("credentials.requesterPaysDetail")}
        checked={pays}
        onChange={({ currentTarget }) => setPays(currentTarget.checked)}
      />
    </DialogForm>
  );
}
