import { useTranslation } from "react-i18next";
import { joinWords, useProblemWords } from "../../ui/problem/problemWords.ts";
import { visible } from "../../ui/text/format.ts";
import type { FormError } from "./form-errors.ts";

/** Gives the text of a form error: the page’s own, or the service’s where the page has none. */
export function useFormErrorText(): (formError: Pick<FormError, "word" | "code" | "detail" | "isTested">) => string {
  const { t } = useTranslation("new");
  const problem = useProblemWords();
  // The texts of the page do not contain what the service suggests instead of the value.
  const suggestion = (detail: string) => {
    const [, name] = /Did you mean “([^”]{1,100})”\?/.exec(detail) ?? [];
    return name === undefined ? "" : `${t("errors.didYouMean", { name: visible(name) })} `;
  };
  return ({ word, code, detail = "", isTested = false }) => {
    if (word !== undefined) return t(`errors.${word}`);
    const known = problem(code);
    const cause = known === undefined ? withFullStop(detail) : `${suggestion(detail)}${joinWords(known)}`;
    return isTested ? t("errors.tested", { cause }) : cause;
  };
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
