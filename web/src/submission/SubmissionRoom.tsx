import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLiveSubmission } from "../api/live.ts";
import { isOver } from "../api/submissions.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { Completed } from "./Completed.tsx";
import { Details } from "./Details.tsx";
import { Facts } from "./Facts.tsx";
import { Progress } from "./Progress.tsx";
import { phaseOf } from "./phase.ts";
import { RateOverTime } from "./RateOverTime.tsx";
import { Steps } from "./Steps.tsx";
import { Trouble } from "./Trouble.tsx";
import { Waiting } from "./Waiting.tsx";
import { Withdrawn } from "./Withdrawn.tsx";

/** One submission, as it goes on. */
export default function SubmissionRoom({ id }: { id: string }) {
  const { t } = useTranslation("submission");
  const { submission, events, connection, trouble } = useLiveSubmission(id);
  if (submission === undefined) {
    return (
      <Stack gap="lg">
        <PageHeading title={trouble && t("title")} />
        {trouble === undefined ? <Waiting /> : <ProblemAlert {...trouble} />}
      </Stack>
    );
  }
  const { status, withdrawn, waiting, failure } = submission;
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <PageHeading title={submission.title}>
          <StatusBadge status={withdrawn === null ? status : "withdrawn"} />
        </PageHeading>
        <Facts submission={submission} connection={connection} />
      </Stack>
      <Steps status={status} phase={phaseOf(submission, events)} />
      {withdrawn !== null && <Withdrawn withdrawal={withdrawn} />}
      {(waiting ?? failure) !== null && <Trouble submission={submission} />}
      {status === "completed" ? <Completed submission={submission} /> : <Progress submission={submission} />}
      {!isOver(status) && <RateOverTime submission={submission} />}
      <Details submission={submission} events={events} />
    </Stack>
  );
}
