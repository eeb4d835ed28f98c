import { ACCESS_KINDS, embargoFault, LONGEST_COMMENT, needsReason } from "@accession/rules";
import { Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Access, Publication } from "../../api/publications.ts";
import { RadioChoice } from "../../ui/RadioChoice.tsx";
import { ActionForm, type ActionFormProps, useActionForm } from "./ActionForm.tsx";
import "../words.ts";

/** The access to the files, as it is entered. */
interface AccessChoice {
  access: Access;
  /** `YYYY-MM-DD`; may be empty. */
  embargoDate: string;
  reason: string;
}

/** Today’s date in UTC, in which embargoes end. */
function todayInUtc(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The present access, for a form. */
export function choiceOf({ access, embargoDate, accessReason }: Publication): AccessChoice {
  return { access, embargoDate: embargoDate ?? "", reason: accessReason };
}

/** What is missing or wrong. @param isChange whether each access needs a reason */
export function mistakesIn({ access, embargoDate, reason }: AccessChoice, isChange: boolean): ("date" | "reason")[] {
  const isPast = access === "embargoed" && embargoFault(embargoDate, todayInUtc()) === "past";
  return [
    ...(isPast ? (["date"] as const) : []),
    ...(needsReason(access, isChange) && reason.trim() === "" ? (["reason"] as const) : []),
  ];
}

/** The members of the request. */
export function bodyOf({ access, embargoDate, reason }: AccessChoice) {
  const said = reason.trim();
  return { access, ...(access === "embargoed" && { embargoDate }), ...(said !== "" && { reason: said }) };
}

interface Props {
  choice: AccessChoice;
  onChange: (choice: AccessChoice) => void;
  /** Whether each access needs a reason. */
  isChange: boolean;
  /** Whether mistakes are shown. */
  isSent: boolean;
  fieldError: (pointer: string) => string | undefined;
}

/** The choice of who may read the files, with date and reason of an embargo. */
export function AccessFields({ choice, onChange, isChange, isSent, fieldError }: Props) {
  const { t } = useTranslation("publication");
  const { access, embargoDate, reason } = choice;
  const mistakes = isSent ? mistakesIn(choice, isChange) : [];
  const isRequired = isChange || access === "embargoed";
  return (
    <>
      <RadioChoice
        label={t("facts.access")}
        description={t("access.metadata")}
        choices={ACCESS_KINDS.map((kind) => ({
          value: kind,
          label: t(`access.${kind}`),
          description: t(`access.${kind}Means`),
        }))}
        value={access}
        onChange={(chosen) => onChange({ ...choice, access: chosen })}
        error={fieldError("/access")}
      />
      {access === "embargoed" && (
        <TextInput
          type="date"
          label={t("access.date")}
          description={t("access.dateHint")}
          value={embargoDate}
          min={todayInUtc()}
          onChange={({ currentTarget }) => onChange({ ...choice, embargoDate: currentTarget.value })}
          error={fieldError("/embargoDate") ?? (mistakes.includes("date") && t("access.dateRequired"))}
          styles={{ input: { maxWidth: "12rem" } }}
          required
        />
      )}
      {(isRequired || access === "restricted") && (
        <Textarea
          label={t(isRequired ? "facts.reason" : "access.reasonOptional")}
          description={t("access.reasonHint")}
          value={reason}
          onChange={({ currentTarget }) => onChange({ ...choice, reason: currentTarget.value })}
          error={fieldError("/reason") ?? (mistakes.includes("reason") && t("access.reasonRequired"))}
          maxLength={LONGEST_COMMENT}
          required={isRequired}
          autosize
        />
      )}
    </>
  );
}

/** Changes who may read the files of a published version. A reason is required. */
export function AccessForm({ publication, onDone, ...form }: ActionFormProps) {
  const { t } = useTranslation("publication");
  // The earlier reason is not the one of this change.
  const [choice, setChoice] = useState({ ...choiceOf(publication), reason: "" });
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, { onDone });
  const send = () => {
    setSent(true);
    if (mistakesIn(choice, true).length > 0) return;
    acting.send({ action: "change-access", body: bodyOf(choice) });
  };
  return (
    <ActionForm {...form} publication={publication} action="change-access" acting={acting} onSend={send}>
      <Text>{t("changeAccess.detail")}</Text>
      <AccessFields choice={choice} onChange={setChoice} isChange isSent={isSent} fieldError={acting.fieldError} />
    </ActionForm>
  );
}
