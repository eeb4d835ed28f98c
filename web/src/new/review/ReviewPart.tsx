import { ProblemError } from "@accession/client";
import { Checkbox, Stack, Text } from "@mantine/core";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { remarksOf, titleTakenQuery } from "../../api/intake.ts";
import { useService } from "../../api/service.ts";
import { FormErrorList, RemarkList } from "../../metadata-form/errors/FormErrorList.tsx";
import { useFormErrorText } from "../../metadata-form/errors/useFormErrorText.ts";
import { Hints } from "../../metadata-form/hints/Hints.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { Steps } from "../data-source/Steps.tsx";
import type { Warning } from "../form.ts";
import { useForm } from "../form.ts";
import { Everything } from "./Everything.tsx";

/** Warnings for which the page has texts; for others it shows the service's text. */
const WARNINGS = [
  "description_missing",
  "description_short",
  "description_long",
  "license_missing",
  "no_space",
  "to_be_restored",
] as const;

/** All entries with errors and suggestions, and the button that submits. */
export default function ReviewPart() {
  const { t } = useTranslation("new");
  const { formErrors, isRevealed, dataset, draft, sending } = useForm();
  const summary = useRef<HTMLDivElement>(null);
  const submit = () => {
    sending.send();
    summary.current?.focus();
  };
  const { error } = sending;
  useEffect(() => {
    if (error !== null) summary.current?.focus();
  }, [error]);
  return (
    <Stack gap="xl">
      <div ref={summary} tabIndex={-1}>
        <Stack gap="lg">
          {/* Errors of single fields are listed below, with links to the fields. */}
          {error !== null && remarksOf(error).length === 0 && <ProblemAlert error={error} />}
          {error !== null && <RefusedSteps error={error} />}
          {formErrors.length > 0 && <FormErrorList formErrors={formErrors} isUrgent={isRevealed || error !== null} />}
        </Stack>
      </div>
      <WarningList />
      <Hints />
      <Everything />
      <ReserveDoi />
      <Stack gap="xs" align="flex-start">
        <BusyButton size="md" isBusy={sending.isSending} onClick={submit}>
          {t(dataset === undefined ? "review.submit" : "review.submitVersion")}
        </BusyButton>
        <Text size="sm" c="dimmed">
          {t(draft.dataSource.kind === "upload" ? "review.afterUpload" : "review.after")}
        </Text>
      </Stack>
    </Stack>
  );
}

/** The wish for a DOI before publication, where the service registers DOIs. */
function ReserveDoi() {
  const { t } = useTranslation("new");
  const { draft, setReserveDoi } = useForm();
  if (useService()?.registersDois !== true) return null;
  return (
    <Checkbox
      label={t("review.reserveDoi")}
      description={t("review.reserveDoiHint")}
      checked={draft.reserveDoi === true}
      onChange={(event) => setReserveDoi(event.currentTarget.checked)}
    />
  );
}

/** Suggestions, which do not prevent a submission. */
function WarningList() {
  const { t } = useTranslation("new");
  const { draft, warnings, dataset, goToField } = useForm();
  const title = draft.description.title.trim();
  const { data: isTaken = false } = useQuery(titleTakenQuery(dataset === undefined ? title : ""));
  const others = useFormErrorText();
  const all = [
    ...(isTaken ? [{ pointer: "/metadata/title", detail: t("review.titleTaken") }] : []),
    ...warnings.map((warning) => ({ pointer: warning.pointer, detail: wordsOf(warning) })),
  ];
  function wordsOf(warning: Warning): string {
    const known = WARNINGS.find((one) => one === warning.code);
    return known === undefined ? others(warning) : t(`warnings.${known}`);
  }
  if (all.length === 0) return null;
  return (
    <RemarkList
      id="warnings"
      tone="warn"
      icon={IconInfoCircle}
      title={t("review.warnings", { count: all.length })}
      remarks={all}
      onGo={goToField}
    />
  );
}

/** The steps of the connection test with which the service rejected the submission. */
function RefusedSteps({ error }: { error: Error }) {
  const report = error instanceof ProblemError ? error.problem.report : undefined;
  return report === undefined || report.ok ? null : <Steps report={report} />;
}
