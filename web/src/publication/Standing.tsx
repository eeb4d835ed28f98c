import { Trans, useTranslation } from "react-i18next";
import type { Publication } from "../api/publications.ts";
import { useService } from "../api/service.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { shortName } from "./Account.tsx";

/** Who must act next, and since when. */
export function Standing({ publication: { state, waitingFor, assignee, since } }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  const mode = useService()?.publication;
  if (state === "private") return <p>{t(mode === "direct" ? "none.direct" : "none.review")}</p>;
  // The alert about a delay names who must act.
  const isOver = state === "published" || state === "withdrawn";
  const words =
    waitingFor === "curator" && assignee !== null
      ? t("waiting.assignee", { name: shortName(assignee) })
      : t(waitingFor === null || isOver ? `states.${state}` : `waiting.${waitingFor}`);
  return (
    <p>
      <strong>{words}</strong>{" "}
      <Trans t={t} i18nKey={waitingFor === null ? "on" : "since"} components={{ at: <DateTime iso={since} /> }} />
    </p>
  );
}
