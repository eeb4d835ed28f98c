import { Trans, useTranslation } from "react-i18next";
import type { Publication } from "../api/publications.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";

/** Why the registration of the identifier, or a later change at DataCite, is delayed, who must act, and when the service tries again. */
export function Registration({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  const { state, problem, attempts, nextAttemptAt } = publication;
  if (problem === null) return null;
  const title = state === "published" || state === "withdrawn" ? "registration.changeDelayed" : "registration.delayed";
  const { code, fault, message, action } = problem;
  return (
    <TroubleAlert tone="warn" trouble={{ title: t(title), message, action, fault, code }}>
      <p>
        {t("registration.attempts", { count: attempts })}{" "}
        {nextAttemptAt !== null && (
          <Trans t={t} i18nKey="registration.next" components={{ at: <DateTime iso={nextAttemptAt} /> }} />
        )}
      </p>
    </TroubleAlert>
  );
}
