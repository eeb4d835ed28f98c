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
