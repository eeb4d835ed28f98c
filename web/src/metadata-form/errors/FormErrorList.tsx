import { Anchor } from "@mantine/core";
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
  const nameOf = useFieldNames();
  return (
    <section className={classes.remarks} data-tone={isUrgent ? "bad" : "calm"} aria-labelledby="form-errors">
      <IconAlertTriangle size={22} aria-hidden />
      <div>
        <h3 id="form-errors">{title ?? t("review.errors", { count: formErrors.length })}</h3>
        <ul>
          {formErrors.map((formError) => (
            <li key={`${formError.pointer} ${wordsOf(formError)}`}>
              <RemarkLine
                label={nameOf(formError.pointer)}
                detail={wordsOf(formError)}
                onGo={() => go(formError.pointer)}
              />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** One error or suggestion, with a link to its field. @param label of the field */
export function RemarkLine({ label, detail, onGo }: { label: string; detail: string; onGo: () => void }) {
  return (
    <>
      <Anchor component="button" type="button" inherit underline="always" onClick={onGo}>
        {label}
      </Anchor>
      : {detail}
    </>
  );
}
