import type { Submission } from "@accession/client";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";

/** That the dataset is no longer there, since when and why. */
export function Withdrawn({ withdrawal }: { withdrawal: NonNullable<Submission["withdrawn"]> }) {
  const { t } = useTranslation("submission");
  const { date } = useFormats();
  const { at, by, reason } = withdrawal;
  return (
    <TroubleAlert tone="warn" trouble={{ title: t("withdrawn.title"), detail: t("withdrawn.detail") }}>
      <p>{t("withdrawn.by", { date: date(at), by, reason })}</p>
    </TroubleAlert>
  );
}
