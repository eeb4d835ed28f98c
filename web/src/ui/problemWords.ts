import { ProblemError } from "@accession/client";
import { useTranslation } from "react-i18next";

/** What is said of a problem of a code. */
export interface ProblemWords {
  title: string;
  action: string;
}

/**
 * Gives the page’s own words for a problem, by its code: in a language that the service itself does not speak. Undefined
 * where the service’s words are the ones to show.
 */
export function useProblemWords(): (code: string | null | undefined) => ProblemWords | undefined {
  const { i18n } = useTranslation();
  return (code) => (code ? (i18n.getResource(i18n.language, "problems", code) as ProblemWords | undefined) : undefined);
}

/** Both in one text. */
export function joinWords({ title, action }: ProblemWords): string {
  return `${title}. ${action}`;
}

/** Gives the error of one member of the request, by its pointer such as `/metadata/title`. */
export function useFieldError(error: Error | null): (pointer: string) => string | undefined {
  const wordsOf = useProblemWords();
  return (pointer) => {
    if (!(error instanceof ProblemError)) return undefined;
    const remark = error.problem.errors?.find((one) => one.pointer === pointer);
    const words = wordsOf(remark?.code);
    return words === undefined ? remark?.detail : joinWords(words);
  };
}
