import { type components, isOver, type Submission } from "@accession/client";
import { Button, Group, Stack } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { fetchMissingCsv } from "../api/submission-files.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { Section } from "../ui/Section.tsx";
import { save } from "../ui/save.ts";
import { isUpload } from "../ui/upload-source.ts";
import { ComparedLists, openDifferences } from "./ComparedLists.tsx";

type Digests = components["schemas"]["SubmissionDigests"];

export interface SubmissionListsProps {
  submission: Submission;
  digests: Digests;
  /** Shows the unreadable objects, with the different ones, in the table of files. */
  onShowUnreadable: () => void;
}

/** The section about the checksum lists of a submission, with the next step if the submission has stopped because of them. */
export function SubmissionLists({ submission, digests, onShowUnreadable }: SubmissionListsProps) {
  const { t } = useTranslation(["listed", "ui"]);
  const { id, status, waiting, failure } = submission;
  const isDone = isOver(status);
  const next = nextStep(submission, digests);
  const fault = (waiting ?? failure)?.fault;
  const isPassing = next === undefined && (!isDone || status === "completed");
  return (
    <Section title={t("title")}>
      {next !== undefined && (
        <Stack gap="0.5rem" maw="46rem">
          <p>
            {fault !== undefined && <strong>{t(`ui:actionRequired.${fault}`)}. </strong>}
            {next.map((step) => t(`next.${step}`)).join(" ")}
          </p>
          {waiting?.code === "objects_unreadable" && (
            <Group>
              <Button variant="default" size="compact-sm" onClick={onShowUnreadable}>
                {t("showDifferent")}
              </Button>
            </Group>
          )}
        </Stack>
      )}
      <ComparedLists
        digests={digests}
        unread={t(`unread.${isDone ? "never" : "pending"}`)}
        uncompared={t(`notCompared.${notComparedReason(submission, digests)}`)}
        outcome={isPassing ? t(status === "completed" ? "archived" : "reading") : undefined}
        afterMissing={isDone ? undefined : <MissingFiles id={id} />}
      />
    </Section>
  );
}

type Step = "missing" | "missingUpload" | "different" | "differentUpload" | "unusable" | "inSource" | "fixed";

/** What the submitter can do about the files or the lists; undefined if the submission has not stopped because of them. */
function nextStep({ waiting, failure, source }: Submission, digests: Digests): Step[] | undefined {
  const { lists } = digests;
  const code = (waiting ?? failure)?.code;
  const isSent = isUpload(source);
  const isFixed = isSent || lists.some(({ origin }) => origin === "request");
  const ofSource: Step[] = !isSent && lists.some(({ origin }) => origin !== "request") ? ["inSource"] : [];
  const ofLists: Step[] = [...ofSource, ...(isFixed ? (["fixed"] as const) : [])];
  if (code === "digest_files_missing") return [isSent ? "missingUpload" : "missing", ...ofLists];
  if (code === "objects_unreadable" && openDifferences(digests) > 0)
    return [isSent ? "differentUpload" : "different", ...ofLists];
  return code?.startsWith("digest_") ? ["unusable", isSent ? "fixed" : "inSource"] : undefined;
}

/**
 * Why the files were not compared with the lists, or when they are. After the end no cause is stated for unused lists: they may have
 * been read and refused before the submission failed or was cancelled.
 */
function notComparedReason({ status, waiting }: Submission, { unread = [] }: Digests) {
  const areUsed = unread.length === 0;
  if (isOver(status)) {
    if (areUsed) return "never";
    return status === "failed" ? "unreadFailed" : "unreadCancelled";
  }
  // The next step is about the list that cannot be used.
  if (waiting?.code.startsWith("digest_list_")) return "pending";
  if (areUsed) return waiting === null ? "pending" : "waiting";
  return waiting === null ? "unreadPending" : "unreadWaiting";
}

/** The download of all missing files, of which the section names the first. */
function MissingFiles({ id }: { id: string }) {
  const { t } = useTranslation("listed");
  const csv = useMutation({
    mutationFn: () => fetchMissingCsv(id),
    onSuccess: (bytes) => save(bytes, `missing-${id}.csv`),
    gcTime: 0,
  });
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      <BusyButton
        variant="default"
        size="compact-sm"
        leftSection={<IconDownload size={16} aria-hidden />}
        isBusy={csv.isPending}
        onClick={() => csv.mutate()}
      >
        {t("csv")}
      </BusyButton>
      {csv.error !== null && <ProblemAlert error={csv.error} />}
    </Stack>
  );
}
