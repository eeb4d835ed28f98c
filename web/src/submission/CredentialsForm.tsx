import type { Submission } from "@accession/client";
import { PasswordInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNewCredentials, useRetry } from "../api/submissions.ts";
import { DialogForm } from "../ui/Dialog.tsx";
import { useFieldError } from "../ui/problemWords.ts";

interface Props {
  submission: Submission;
  /** Whether the credentials start a new attempt. */
  isRetry: boolean;
  onClose: () => void;
}

const EMPTY = { accessKey: "", secretKey: "", sessionToken: "" };
type Name = keyof typeof EMPTY;

/** Asks for new credentials of the bucket. They exist only while the dialog is open. */
export function CredentialsForm({ submission: { id, source }, isRetry, onClose }: Props) {
  const { t } = useTranslation("submission");
  const [given, setGiven] = useState(EMPTY);
  const [isSent, setSent] = useState(false);
  const replace = useNewCredentials(id);
  const retry = useRetry(id);
  const { mutate, isPending, error } = isRetry ? retry : replace;
  const send = () => {
    setSent(true);
    const { accessKey, secretKey, sessionToken } = given;
    if (accessKey === "" || secretKey === "") return;
    mutate({ accessKey, secretKey, ...(sessionToken !== "" && { sessionToken }) }, { onSuccess: onClose });
  };
  const fieldError = useFieldError(error);
  const field = (name: Name) => ({
    label: t(`credentials.${name}`),
    name,
    value: given[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
      setGiven((before) => ({ ...before, [name]: value.trim() })),
    error:
      fieldError(`/s3Access/${name}`) ??
      (isSent && name !== "sessionToken" && given[name] === "" && t("credentials.required")),
    spellCheck: false,
  });
  const eyeOf = (name: Name) => ({
    visibilityToggleButtonProps: {
      "aria-label": t("credentials.show", { what: t(`credentials.${name}`) }),
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
      <TextInput {...field("accessKey")} required autoComplete="username" data-autofocus />
      <PasswordInput {...field("secretKey")} {...eyeOf("secretKey")} required autoComplete="current-password" />
      <PasswordInput
        {...field("sessionToken")}
        {...eyeOf("sessionToken")}
        description={t("credentials.optional")}
        autoComplete="off"
      />
    </DialogForm>
  );
}
