import { LONGEST_NOTE, LONGEST_REASON } from "@accession/rules";
import { Button, Checkbox, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessRequest, type Answer, type GrantWish, useAnswer, useGrant } from "../api/access.ts";
import type { Publication } from "../api/publications.ts";
import { useService } from "../api/service.ts";
import { Account } from "../publication/Account.tsx";
import common from "../ui/Common.module.css";
import { Copyable } from "../ui/CopyButton.tsx";
import { DialogButtons, DialogForm } from "../ui/Dialog.tsx";
import { useFieldError } from "../ui/problem/problemWords.ts";
import { RadioChoice } from "../ui/RadioChoice.tsx";
import { visible, visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import "./words.ts";

const KINDS = ["subject", "email", "link"] as const satisfies readonly GrantWish["kind"][];
const LONGEST_PERSON = 2_000;

/** Grants access to a person, or creates a link. */
export function GrantForm({ publication, onClose }: { publication: Publication; onClose: () => void }) {
  const { t } = useTranslation("access");
  const { dataset, version } = publication;
  const verifiesMail = useService()?.signIn.method === "oidc";
  const { mutate, isPending, error, data } = useGrant(dataset, version);
  const [kind, setKind] = useState<GrantWish["kind"]>("subject");
  const [person, setPerson] = useState("");
  const [note, setNote] = useState("");
  const [day, setDay] = useState("");
  const [isForAll, setForAll] = useState(false);
  const [isSent, setSent] = useState(false);
  const fieldError = useFieldError(error);
  const isLink = kind === "link";
  const missing = isSent && person.trim() === "" ? t("grant.personRequired") : undefined;
  if (data?.url != null) return <NewLink url={data.url} onClose={onClose} />;
  const send = () => {
    setSent(true);
    if (!isLink && person.trim() === "") return;
    const body = {
      kind,
      ...(!isLink && { person: person.trim() }),
      ...(note.trim() !== "" && { note: note.trim() }),
      ...(isForAll && { allVersions: true }),
      ...expiryOf(day),
    };
    mutate(body, { onSuccess: ({ url }) => url === null && onClose() });
  };
  return (
    <DialogForm
      submit={t(isLink ? "grant.submitLink" : "manage.grant")}
      isBusy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <Text>{t("grant.detail", { version })}</Text>
      <RadioChoice
        label={t("grant.kind")}
        choices={KINDS.filter((one) => one !== "email" || verifiesMail).map((one) => ({
          value: one,
          label: t(`kinds.${one}`),
          description: t(`kindsMean.${one}`),
        }))}
        value={kind}
        onChange={setKind}
        error={fieldError("/kind")}
      />
      {!isLink && (
        <TextInput
          label={t(kind === "email" ? "ask.email" : "grant.account")}
          value={person}
          onChange={({ currentTarget }) => setPerson(currentTarget.value)}
          error={fieldError("/person") ?? missing}
          maxLength={LONGEST_PERSON}
          spellCheck={false}
          required
        />
      )}
      <LastDay value={day} onChange={setDay} isLink={isLink} error={fieldError("/expiresAt")} />
      <TextInput
        label={t("grant.note")}
        description={t("grant.noteHint")}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        error={fieldError("/note")}
        maxLength={LONGEST_NOTE}
      />
      <Checkbox
        size="md"
        label={t("grant.all")}
        checked={isForAll}
        onChange={({ currentTarget }) => setForAll(currentTarget.checked)}
      />
    </DialogForm>
  );
}

type Choice = "person" | "link" | "refuse";

/** Answers a request for access. */
export function AnswerForm({ request, onClose }: { request: AccessRequest; onClose: () => void }) {
  const { t } = useTranslation("access");
  const verifiesMail = useService()?.signIn.method === "oidc";
  const { mutate, isPending, error, data } = useAnswer(request.dataset);
  const choices: Choice[] =
    request.account !== null || verifiesMail ? ["person", "link", "refuse"] : ["link", "refuse"];
  const [choice, setChoice] = useState<Choice>(choices[0] ?? "link");
  const [day, setDay] = useState("");
  const [answer, setAnswer] = useState("");
  const fieldError = useFieldError(error);
  if (data?.url != null) return <NewLink url={data.url} onClose={onClose} />;
  const send = () => {
    const text = answer.trim() === "" ? {} : { answer: answer.trim() };
    const sent: Answer =
      choice === "refuse"
        ? { how: "refuse", request: request.id, body: text }
        : { how: "grant", request: request.id, body: { ...text, as: choice, ...expiryOf(day) } };
    mutate(sent, { onSuccess: (grant) => grant?.url == null && onClose() });
  };
  const meaningOf = (one: Choice) =>
    t(one === "person" && request.account === null ? "answer.personByMail" : `answer.${one}Means`);
  return (
    <DialogForm
      submit={t(choice === "refuse" ? "answer.refuse" : "manage.grant")}
      isDangerous={choice === "refuse"}
      isBusy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <Asked request={request} />
      <RadioChoice
        label={t("answer.choice")}
        choices={choices.map((one) => ({ value: one, label: t(`answer.${one}`), description: meaningOf(one) }))}
        value={choice}
        onChange={setChoice}
      />
      {choice !== "refuse" && (
        <LastDay value={day} onChange={setDay} isLink={choice === "link"} error={fieldError("/expiresAt")} />
      )}
      <Textarea
        label={t("answer.text")}
        description={t("answer.textHint")}
        value={answer}
        onChange={({ currentTarget }) => setAnswer(currentTarget.value)}
        error={fieldError("/answer")}
        maxLength={LONGEST_REASON}
        autosize
      />
    </DialogForm>
  );
}

/** The name of the person who asks, for labels. */
export function nameOf({ name, account, email }: AccessRequest): string {
  return visible(name ?? account?.split("#").at(-1) ?? email ?? "");
}

/** Who asks, when and what for. */
export function Asked({ request }: { request: AccessRequest }) {
  const { t } = useTranslation("access");
  const { account, name, email, emailVerified, reason, createdAt } = request;
  return (
    <>
      <span>
        {name !== null && <bdi>{visible(name)}</bdi>} {account !== null && <Account name={account} />}
        {email !== null && (
          <>
            {" · "}
            <bdi>{visible(email)}</bdi>
          </>
        )}
      </span>
      <span className={common.small}>
        <DateTime iso={createdAt} />
        {email !== null && ` · ${t(emailVerified ? "manage.verified" : "manage.stated")}`}
      </span>
      <div className={common.quote}>{visibleLines(reason)}</div>
    </>
  );
}

interface LastDayProps {
  value: string;
  onChange: (day: string) => void;
  isLink: boolean;
  error: string | undefined;
}

/** The last day of an access, which is optional. */
function LastDay({ value, onChange, isLink, error }: LastDayProps) {
  const { t } = useTranslation("access");
  return (
    <TextInput
      type="date"
      label={t("terms.lastDay")}
      description={t(isLink ? "terms.lastDayOfLink" : "terms.lastDayOfPerson")}
      value={value}
      min={new Date().toISOString().slice(0, 10)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      styles={{ input: { maxWidth: "12rem" } }}
    />
  );
}

/** The end of an access as it is entered: a day, or empty for the default of the service. */
function expiryOf(day: string): { expiresAt?: string } {
  // The whole day counts, in UTC like embargoes.
  return day === "" ? {} : { expiresAt: `${day}T23:59:59.000Z` };
}

/** Shows the link of a new grant, once. */
function NewLink({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useTranslation("access");
  return (
    <Stack>
      <Text role="status">{t("newLink.detail")}</Text>
      <Copyable text={url} what={t("manage.link")} />
      <DialogButtons>
        <Button onClick={onClose} data-autofocus>
          {t("close", { ns: "ui" })}
        </Button>
      </DialogButtons>
    </Stack>
  );
}
