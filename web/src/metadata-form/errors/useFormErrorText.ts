import { useTranslation } from "react-i18next";
import { joinWords, useProblemWords } from "../../ui/problemWords.ts";
import type { FormError } from "./form-errors.ts";

/** Gives the text of a form error: the page’s own, or the service’s where the page has none. */
export function useFormErrorText(): (formError: Pick<FormError, "word" | "code" | "detail" | "isTested">) => string {
  const { t } = useTranslation("new");
  const problem = useProblemWords();
  return ({ word, code, detail = "", isTested = false }) => {
    if (word !== undefined) return t(`errors.${word}`);
    const known = problem(code);
    const cause = known === undefined ? withFullStop(detail) : joinWords(known);
    return isTested ? t("errors.tested", { cause }) : cause;
  };
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
