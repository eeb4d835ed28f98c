import type { Submission, SubmissionEvent } from "@accession/client";
import { isOver } from "@accession/client";
import { Skeleton, Stack, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLiveSubmission } from "../api/live.ts";
import { receiptQuery } from "../api/receipt.ts";
import { useFormats } from "../ui/format.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert, TroubleAlert } from "../ui/ProblemAlert.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { Completed } from "./Completed.tsx";
import { Facts } from "./Facts.tsx";
import { Files } from "./Files.tsx";
import { Log } from "./Log.tsx";
import { Progress } from "./Progress.tsx";
import { RateOverTime } from "./RateOverTime.tsx";
import { StandstillPanel } from "./StandstillPanel.tsx";
import { phaseOf, Steps } from "./Steps.tsx";

/** The page of one submission. */
export default function SubmissionPage({ id }: { id: string }) {
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
      {standstill !== null && <StandstillPanel submission={submission} standstill={standstill} />}
      {status === "completed" ? <Completed submission={submission} /> : <Progress submission={submission} />}
      {!isOver(status) && <RateOverTime submission={submission} />}
      <Details submission={submission} events={events} />
    </Stack>
  );
}

/**
 * Whether the submission can be shown. A completed submission waits for its receipt, whose content would otherwise move
 * what is below it. If the submission is already visible, it stays visible.
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

/** A placeholder until the service has answered. */
function Waiting() {
  return (
    <Stack gap="xl" aria-hidden>
      <Skeleton height={20} maw="32rem" />
      <Skeleton height={56} />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </Stack>
  );
}

/** States that the dataset was withdrawn, when, by whom, and why. */
function Withdrawn({ withdrawal }: { withdrawal: NonNullable<Submission["withdrawn"]> }) {
  const { t } = useTranslation("submission");
  const { date } = useFormats();
  const { at, by, reason } = withdrawal;
  return (
    <TroubleAlert tone="warn" trouble={{ title: t("withdrawn.title"), detail: t("withdrawn.detail") }}>
      <p>{t("withdrawn.by", { date: date(at), by, reason })}</p>
    </TroubleAlert>
  );
}

/** The tabs with all files and the log. */
function Details({ submission, events }: { submission: Submission; events: readonly SubmissionEvent[] }) {
  const { t } = useTranslation("submission");
  const [shown, setShown] = useState<string | null>("files");
  return (
    <Tabs value={shown} onChange={setShown} keepMounted={false}>
      <Tabs.List aria-label={t("tabs.label")}>
        <Tabs.Tab value="files">{t("tabs.files")}</Tabs.Tab>
        <Tabs.Tab value="log">{t("tabs.log")}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="files" pt="lg">
        <Files submission={submission} />
      </Tabs.Panel>
      <Tabs.Panel value="log" pt="lg">
        <Log events={events} />
      </Tabs.Panel>
    </Tabs>
  );
}
