import { ProblemError } from "@accession/client";
import { useTranslation } from "react-i18next";

/** The texts for all problems of one code. */
interface ProblemWords {
  title: string;
  action: string;
}

/**
 * Gives the page’s own texts for a problem code: in English only where the service’s texts are in the terms of the API.
 * Undefined if the page shows the service’s texts.
 */
export function useProblemWords(): (code: string | null | undefined) => ProblemWords | undefined {
  const { i18n } = useTranslation();
  return (code) => (code ? (i18n.getResource(i18n.language, "problems", code) as ProblemWords | undefined) : undefined);
}

/** Whether a problem is about the region of the bucket. Servers also state the region with other errors. */
export function isAboutRegion(code: string | null | undefined): boolean {
  return code === "wrong_region" || code === "redirected";
}

/** Title and action as one text. */
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
