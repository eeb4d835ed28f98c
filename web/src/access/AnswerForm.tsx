import { LONGEST_REASON } from "@accession/rules";
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessRequest, type Answer, useAnswer } from "../api/access.ts";
import { useService } from "../api/service.ts";
import { Account } from "../publication/Account.tsx";
import common from "../ui/Common.module.css";
import { DialogForm } from "../ui/Dialog.tsx";
import { useFieldError } from "../ui/problem/problemWords.ts";
import { RadioChoice } from "../ui/RadioChoice.tsx";
import { visible, visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { expiryOf, LastDay } from "./LastDay.tsx";
import { NewLink } from "./NewLink.tsx";

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
        minRows={2}
        maxRows={10}
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
        {name !== null && <bdi>{visible(name)}</bdi>} {account !== null && <Account name={account} />}{" "}
        {email !== null && <bdi>{visible(email)}</bdi>}
      </span>
      <span className={common.small}>
        <DateTime iso={createdAt} />
        {email !== null && ` · ${t(emailVerified ? "manage.verified" : "manage.stated")}`}
      </span>
      <div className={common.quote}>{visibleLines(reason)}</div>
    </>
  );
}
