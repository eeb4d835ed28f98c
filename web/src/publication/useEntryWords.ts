import { useTranslation } from "react-i18next";
import type { PublicationEntry } from "../api/publications.ts";
import { useFormats } from "../ui/text/format.ts";
import { shortName } from "./Account.tsx";
import "./words.ts";

/** Gives the words for what a person or the service did; the name of the action in the API if the page does not know it. */
export function useEntryWords(): (entry: PublicationEntry) => string {
  const { t, i18n } = useTranslation("publication");
  const accessOf = useAccessWords();
  return (entry) => {
    const { action, actor, answers, curator, access, resolved, party, collections } = entry;
    if (party !== null) return t(`history.undelivered.${party}`);
    if (action === "comment" && answers !== null) return t("history.entries.answer");
    if (action === "resolve" && resolved === false) return t("history.entries.reopen");
    if (action === "assign" && curator === null) return t("history.entries.unassigned");
    if (action === "assign" && curator !== null && curator === actor) return t("history.entries.assignedSelf");
    if (action === "assign" && curator !== null) return t("history.entries.assignedTo", { name: shortName(curator) });
    const words = i18n.getResource(i18n.language, "publication", "history") as {
      entries: Readonly<Record<string, string>>;
    };
    const what = (Object.hasOwn(words.entries, action) ? words.entries[action] : undefined) ?? action;
    if (collections.length > 0) return t("history.entries.collections", { what, collections: collections.join(", ") });
    return action !== "change-access" || access === null
      ? what
      : t("history.entries.access", { what, access: accessOf(entry) });
  };
}

/** Gives the words for the access that was chosen. */
function useAccessWords(): (entry: PublicationEntry) => string {
  const { t } = useTranslation("publication");
  const { calendarDay } = useFormats();
  return ({ access, embargoDate }) => {
    if (access === null) return "";
    return embargoDate === null ? t(`access.${access}`) : t("access.until", { date: calendarDay(embargoDate) });
  };
}
