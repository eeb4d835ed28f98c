import { Anchor } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import type { FormError } from "./form-errors.ts";
import classes from "./Remarks.module.css";
import { useFieldNames } from "./useFieldNames.ts";
import { useFormErrorText } from "./useFormErrorText.ts";

interface Props {
  formErrors: readonly FormError[];
  isUrgent: boolean;
  /** Default: that of a submission. */
  title?: string;
}

/** The errors that prevent a submission or change, each with a link to its field. */
export function FormErrorList({ formErrors, isUrgent, title }: Props) {
  const { t } = useTranslation("new");
  const { goToField, touch } = useMetadataForm();
  // The field shows the error, also before an attempt to submit.
  const go = (pointer: string) => {
    touch(pointer);
    goToField(pointer);
  };
  const wordsOf = useFormErrorText();
  return (
    <RemarkList
      id="form-errors"
      tone={isUrgent ? "bad" : "calm"}
      icon={IconAlertTriangle}
      title={title ?? t("review.errors", { count: formErrors.length })}
      remarks={formErrors.map((formError) => ({ pointer: formError.pointer, detail: wordsOf(formError) }))}
      onGo={go}
    />
  );
}

interface RemarkListProps {
  id: string;
  tone: "bad" | "warn" | "calm";
  icon: Icon;
  title: string;
  remarks: readonly { pointer: string; detail: string }[];
  onGo: (pointer: string) => void;
}

/** Errors or suggestions, each with a link to its field. */
export function RemarkList({ id, tone, icon: Mark, title, remarks, onGo }: RemarkListProps) {
  const nameOf = useFieldNames();
  return (
    <section className={classes.remarks} data-tone={tone} aria-labelledby={id}>
      <Mark size={22} aria-hidden />
      <div>
        <h3 id={id}>{title}</h3>
        <ul>
          {remarks.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>
              <Anchor component="button" type="button" inherit underline="always" onClick={() => onGo(pointer)}>
                {nameOf(pointer)}
              </Anchor>
              : {detail}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
