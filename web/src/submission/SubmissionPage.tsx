import { isOver, type Submission, type SubmissionEvent } from "@accession/client";
import { Button, Group, Skeleton, Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Connection, useLiveSubmission } from "../api/live.ts";
import { useIsReached } from "../api/queries.ts";
import { receiptQuery } from "../api/receipt/receipt.ts";
import type { FileFilter } from "../api/submission-files.ts";
import { useCancel } from "../api/submissions.ts";
import { ConfirmDialog } from "../ui/Dialog.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert, TroubleAlert } from "../ui/problem/ProblemAlert.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { useFormats } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { isUpload } from "../ui/upload-source.ts";
import { useCaughtFocus } from "../ui/useCaughtFocus.ts";
import { Completed } from "./Completed.tsx";
import { Files } from "./files/Files.tsx";
import { Log } from "./Log.tsx";
import { Progress } from "./Progress.tsx";
import { RateOverTime } from "./rate/RateOverTime.tsx";
import { StandstillPanel } from "./StandstillPanel.tsx";
import { phaseOf, Steps } from "./Steps.tsx";
import classes from "./Submission.module.css";

/** Loaded for submissions with checksum lists. */
const DigestLists = lazyLoaded(() => import("../digest-lists/DigestLists.tsx"));

/** The page of one submission. */
export default function SubmissionPage({ id }: { id: string }) {
  const { t } = useTranslation("submission");
  const { submission, events, connection, trouble } = useLiveSubmission(id);
  const isReady = useIsReady(submission);
  if (submission === undefined || !isReady) {
    return (
      <Stack gap="lg">
        <PageHeading title={trouble && t("about.submission", { ns: "dataset" })} />
        {trouble === undefined ? <Waiting /> : <ProblemAlert {...trouble} />}
      </Stack>
    );
  }
  return <Present submission={submission} events={events} connection={connection} />;
}

interface PresentProps {
  submission: Submission;
  events: readonly SubmissionEvent[];
  connection: Connection;
}

/** The submission as it is now. */
function Present({ submission, events, connection }: PresentProps) {
  const { t } = useTranslation("submission");
  const [tab, setTab] = useState<string | null>("files");
  const [filter, setFilter] = useState<FileFilter>({ state: undefined, prefix: "" });
  const details = useRef<HTMLDivElement>(null);
  // Undefined in the answer of an earlier version of the service.
  const { status, withdrawn, digests = null } = submission;
  const standstill = submission.waiting ?? submission.failure;
  const showUnreadable = () => {
    setTab("files");
    setFilter({ state: "failed", prefix: "" });
    details.current?.focus({ preventScroll: true });
    details.current?.scrollIntoView({ block: "start" });
  };
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
      {standstill !== null && (
        <StandstillPanel submission={submission} standstill={standstill} onShowUnreadable={showUnreadable} />
      )}
      {status === "completed" ? <Completed submission={submission} /> : <Progress submission={submission} />}
      {digests !== null && <DigestLists submission={submission} digests={digests} onShowUnreadable={showUnreadable} />}
      {!isOver(status) && <RateOverTime submission={submission} />}
      <div ref={details} tabIndex={-1}>
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List aria-label={t("about.title", { ns: "dataset" })}>
            <Tabs.Tab value="files">{t("files.title", { ns: "dataset" })}</Tabs.Tab>
            <Tabs.Tab value="log">{t("tabs.log")}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="files" pt="lg">
            <Files submission={submission} filter={filter} onFilter={setFilter} />
          </Tabs.Panel>
          <Tabs.Panel value="log" pt="lg">
            <Log events={events} />
          </Tabs.Panel>
        </Tabs>
      </div>
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

/** Data source, date of submission, state of the live connection, and the button that cancels the submission. */
function Facts({ submission, connection }: { submission: Submission; connection: Connection }) {
  const { t } = useTranslation("submission");
  const { id, status, source, createdAt, attempt } = submission;
  const isInProgress = !isOver(status);
  // If the service does not respond, the event stream may be dead although it has reported no error.
  const shown = useIsReached() ? connection : "away";
  return (
    <Group justify="space-between" gap="xs" mih={36}>
      <Text c="dimmed" size="sm" style={{ overflowWrap: "anywhere" }}>
        {isUpload(source)
          ? t("uploaded", { ns: "ui" })
          : t("facts.source", { bucket: source.bucket, host: hostOf(source.endpoint) })}{" "}
        · {t("facts.submitted")} <DateTime iso={createdAt} />
        {attempt > 1 && <> · {t("facts.attempt", { attempt })}</>}
      </Text>
      <Group gap="md">
        {isInProgress && (
          <span className={classes.connection} data-connection={shown} role="status">
            {t(`connection.${shown}`)}
          </span>
        )}
        {(isInProgress || status === "failed") && <CancelButton id={id} />}
      </Group>
    </Group>
  );
}

function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).host : endpoint;
}

/** Cancels a submission after a confirmation. */
function CancelButton({ id }: { id: string }) {
  const { t } = useTranslation("submission");
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancel(id);
  const place = useCaughtFocus<HTMLButtonElement>(isAsking);
  const close = () => {
    setAsking(false);
    cancel.reset();
  };
  return (
    <>
      <Button ref={place} variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        {t("cancel.open")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("cancel.title")}
        detail={t("cancel.detail")}
        confirm={t("cancel.open")}
        dismiss={t("cancel.keep")}
        isDangerous
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSuccess: close })}
        error={cancel.error}
        onClose={close}
      />
    </>
  );
}
