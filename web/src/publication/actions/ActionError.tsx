import { useTranslation } from "react-i18next";
import { isOutdated, type Publication } from "../../api/publications.ts";
import { ProblemAlert, TroubleAlert } from "../../ui/ProblemAlert.tsx";
import { shortName } from "../Account.tsx";
import { useEntryWords } from "../useEntryWords.ts";

/** Why an action was not carried out. After a change by another user: what the change was, and what to do. */
export function ActionError({ error, publication }: { error: Error | null; publication: Publication }) {
  const { t } = useTranslation("publication");
  const wordsOf = useEntryWords();
  if (error === null) return null;
  if (!isOutdated(error)) return <ProblemAlert error={error} />;
  const last = publication.history.at(-1);
  const name = last?.actor == null ? t("history.service") : shortName(last.actor);
  return (
    <TroubleAlert
      tone="warn"
      trouble={{
        title: t("outdated.title"),
        detail: t("outdated.detail", { state: t(`states.${publication.state}`) }),
      }}
    >
      {last !== undefined && <p>{t("outdated.last", { name, what: wordsOf(last) })}</p>}
      <p>{t("outdated.next")}</p>
    </TroubleAlert>
  );
}
