import type { Submission } from "@accession/client";
import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNewCredentials, useRetry } from "../api/submissions.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { useFieldError } from "../ui/problemWords.ts";

interface Props {
  submission: Submission;
  isOpen: boolean;
  /** Whether the credentials start a new attempt. */
  isRetry: boolean;
  onClose: () => void;
}

const EMPTY = { accessKey: "", secretKey: "", sessionToken: "" };
type Name = keyof typeof EMPTY;

/** Asks for new credentials of the bucket. */
export function CredentialsDialog({ isOpen, ...props }: Props) {
  const { t } = useTranslation("submission");
  return (
    <Dialog
      isOpen={isOpen}
      title={t(props.isRetry ? "credentials.titleRetry" : "credentials.title")}
      onClose={props.onClose}
    >
      <Keys {...props} />
    </Dialog>
  );
}

/** The fields. The credentials exist only while the dialog is open. */
function Keys({ submission: { id, source }, isRetry, onClose }: Omit<Props, "isOpen">) {
  const { t } = useTranslation("submission");
  const { t: ui } = useTranslation("ui");
  const [given, setGiven] = useState(EMPTY);
  const [isSent, setSent] = useState(false);
  const replace = useNewCredentials(id);
  const retry = useRetry(id);
  const { mutate, isPending, error } = isRetry ? retry : replace;
  const send = (event: FormEvent) => {
    event.preventDefault();
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
    <form onSubmit={send} noValidate>
      <Stack>
        <Text size="sm">
          {t(isRetry ? "credentials.detailRetry" : "credentials.detail", { bucket: source.bucket })}
        </Text>
        <TextInput {...field("accessKey")} required autoComplete="username" data-autofocus />
        <PasswordInput {...field("secretKey")} {...eyeOf("secretKey")} required autoComplete="current-password" />
        <PasswordInput
          {...field("sessionToken")}
          {...eyeOf("sessionToken")}
          description={t("credentials.optional")}
          autoComplete="off"
        />
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          <BusyButton type="submit" isBusy={isPending}>
            {t(isRetry ? "credentials.submitRetry" : "credentials.submit")}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
