import { PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { tryToken } from "../api/service.ts";
import { signIn } from "../api/session.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";

/** Takes a token of the service, and tries it before it is believed. */
export function TokenSignIn() {
  const { t } = useTranslation("sign-in");
  const [token, setToken] = useState("");
  const [isMissing, setMissing] = useState(false);
  const attempt = useMutation({
    mutationFn: tryToken,
    onSuccess: (_, tried) => signIn({ token: tried, from: "token" }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim();
    setMissing(given === "");
    if (given !== "") attempt.mutate(given);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {attempt.error !== null && <ProblemAlert error={attempt.error} />}
        <PasswordInput
          label={t("token.label")}
          description={t("token.description")}
          error={isMissing && t("token.required")}
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <BusyButton type="submit" isBusy={attempt.isPending} style={{ alignSelf: "flex-start" }}>
          {t("token.submit")}
        </BusyButton>
      </Stack>
    </form>
  );
}
