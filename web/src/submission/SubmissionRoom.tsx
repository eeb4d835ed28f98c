import { useTranslation } from "react-i18next";
import { useLiveSubmission } from "../api/live.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";

/** One submission, as it goes on. */
export default function SubmissionRoom({ id }: { id: string }) {
  const { t } = useTranslation("submission");
  const { submission, error } = useLiveSubmission(id);
  if (submission === undefined) {
    return (
      <>
        <PageHeading title={t("title")} />
        {error !== null && <ProblemAlert error={error} />}
      </>
    );
  }
  return (
    <PageHeading title={submission.title}>
      <StatusBadge status={submission.withdrawn === null ? submission.status : "withdrawn"} />
    </PageHeading>
  );
}
