import { useTranslation } from "react-i18next";
import { inOne, useProblemWords } from "../ui/problemWords.ts";
import type { Fault } from "./faults.ts";

/** Gives what is said of a fault: the page’s own words, and the service’s where the page has none. */
export function useFaultWords(): (fault: Pick<Fault, "word" | "code" | "detail" | "isTested">) => string {
  const { t } = useTranslation("new");
  const problem = useProblemWords();
  return ({ word, code, detail = "", isTested = false }) => {
    if (word !== undefined) return t(`faults.${word}`);
    const known = problem(code);
    const cause = known === undefined ? detail : inOne(known);
    return isTested ? t("faults.tested", { cause }) : cause;
  };
}
