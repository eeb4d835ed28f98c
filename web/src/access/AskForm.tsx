import { LONGEST_MAIL_ADDRESS, LONGEST_NAME, LONGEST_REASON } from "@accession/rules";
import { Anchor, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAsk } from "../api/access.ts";
import { useService } from "../api/service.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFieldError } from "../ui/problem/problemWords.ts";
import { Section } from "../ui/Section.tsx";
import { signInHref, useHasAccount } from "./useHasAccount.ts";
import "./words.ts";

/** Asks the owner for access, with a reason. People without an account state name and e-mail address. */
export function AskForm({ id, version }: { id: string; version: number }) {
  const { t } = useTranslation("access");
  const ask = useAsk(id, version);
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (ask.isSuccess) said.current?.focus();
  }, [ask.isSuccess]);
  return (
    <Section title={t("ask.title")}>
      {ask.isSuccess ? (
        <Text ref={said} tabIndex={-1} role="status">
          {t("ask.sent")}
        </Text>
      ) : (
        <Form ask={ask} />
      )}
    </Section>
  );
}

function Form({ ask }: { ask: ReturnType<typeof useAsk> }) {
  const { t } = useTranslation("access");
  const hasAccount = useHasAccount();
  const sendsMail = useService()?.sendsMail === true;
  const [reason, setReason] = useState("");
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const fieldError = useFieldError(ask.error);
  const isMissing = (text: string) => text.trim() === "";
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (isMissing(reason) || (!hasAccount && (isMissing(name) || isMissing(email)))) return;
    const person = hasAccount ? {} : { name: name.trim(), email: email.trim() };
    ask.mutate({ reason: reason.trim(), ...person });
  };
  const errorOf = (pointer: string, text: string, missing: string) =>
    fieldError(pointer) ?? (isSent && isMissing(text) ? missing : undefined);
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>{t(hasAccount ? "ask.detailAccount" : sendsMail ? "ask.detail" : "ask.detailNoMail")}</Text>
        {!hasAccount && (
          <Anchor component={Link} href={signInHref()}>
            {t("ask.signIn")}
          </Anchor>
        )}
        <Textarea
          label={t("ask.reason")}
          description={t("ask.reasonHint")}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          error={errorOf("/reason", reason, t("reasonRequired", { ns: "ui" }))}
          maxLength={LONGEST_REASON}
          required
          autosize
          minRows={3}
        />
        {!hasAccount && (
          <>
            <TextInput
              label={t("ask.name")}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={errorOf("/name", name, t("ask.nameRequired"))}
              maxLength={LONGEST_NAME}
              autoComplete="name"
              required
            />
            <TextInput
              label={t("ask.email")}
              description={t("ask.emailHint")}
              type="email"
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
              error={errorOf("/email", email, t("ask.emailRequired"))}
              maxLength={LONGEST_MAIL_ADDRESS}
              autoComplete="email"
              required
            />
          </>
        )}
        {ask.error !== null && <ProblemAlert error={ask.error} />}
        <BusyButton type="submit" isBusy={ask.isPending} style={{ alignSelf: "flex-start" }}>
          {t("ask.submit")}
        </BusyButton>
      </Stack>
    </form>
  );
}
