import type { Submission } from "@accession/client";
import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLiveSubmission } from "../api/live.ts";
import { receiptQuery } from "../api/receipt.ts";
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
  const isReady = useIsReady(submission);
  if (submission === undefined || !isReady) {
    return (
      <Stack gap="lg">
        <PageHeading title={trouble && t("title")} />
        {trouble === undefined ? <Waiting /> : <ProblemAlert {...trouble} />}
      </Stack>
    );
  }
  const { status, withdrawn } = submission;
  const standstill = submission.waiting ?? submission.failure;
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
      {standstill !== null && <Trouble submission={submission} standstill={standstill} />}
      {status === "completed" ? <Completed submission={submission} /> : <Progress submission={submission} />}
      {!isOver(status) && <RateOverTime submission={submission} />}
      <Details submission={submission} events={events} />
    </Stack>
  );
}

/**
 * Whether a submission can be shown. One that is completed waits for its receipt, which would move what is below it; who
 * saw it before keeps what they see.
 */
function useIsReady(submission: Submission | undefined): boolean {
  const isCompleted = submission?.status === "completed";
  const receipt = useQuery({ ...receiptQuery(submission?.id ?? ""), enabled: isCompleted });
  const wasSeen = useRef(false);
  const isReady = submission !== undefined && (wasSeen.current || !isCompleted || !receipt.isPending);
  useEffect(() => {
    if (isReady) wasSeen.current = true;
  }, [isReady]);
  return isReady;
}
