import { useTranslation } from "react-i18next";
import type { PublicationEntry } from "../api/publications.ts";

/** Gives the words for what a person or the service did; the name of the action in the API if the page does not know it. */
export function useEntryWords(): (entry: PublicationEntry) => string {
  const { t, i18n } = useTranslation("publication");
  return ({ action, answers }) => {
    if (action === "comment" && answers !== null) return t("history.entries.answer");
    const words = i18n.getResource(i18n.language, "publication", "history") as {
      entries: Readonly<Record<string, string>>;
    };
    return (Object.hasOwn(words.entries, action) ? words.entries[action] : undefined) ?? action;
  };
}
