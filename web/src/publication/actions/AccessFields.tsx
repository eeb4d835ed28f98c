import { LONGEST_COMMENT } from "@accession/rules";
import { Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Access } from "../../api/publications.ts";
import { RadioChoice } from "../../ui/RadioChoice.tsx";
import { type AccessChoice, mistakesIn, todayInUtc } from "./access-choice.ts";

const KINDS = ["open", "embargoed", "restricted"] as const satisfies readonly Access[];

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
        choices={KINDS.map((kind) => ({
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
          minRows={2}
          maxRows={8}
        />
      )}
    </>
  );
}
