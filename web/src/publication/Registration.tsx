import { Trans, useTranslation } from "react-i18next";
import type { Publication } from "../api/publications.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";

/** Why the registration of the identifier is delayed, who must act, and when the service tries again. */
export function Registration({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  const { problem, attempts, nextAttemptAt } = publication;
  if (problem === null) return null;
  const { code, fault, message, action } = problem;
  return (
    <TroubleAlert tone="warn" trouble={{ title: t("registration.delayed"), message, action, fault, code }}>
      <p>
        {t("registration.attempts", { count: attempts })}{" "}
        {nextAttemptAt !== null && (
          <Trans t={t} i18nKey="registration.next" components={{ at: <DateTime iso={nextAttemptAt} /> }} />
        )}
      </p>
    </TroubleAlert>
  );
}
