import { Stack, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { faultsOf } from "../../api/intake.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { ProblemAlert } from "../../ui/ProblemAlert.tsx";
import { FaultList } from "../FaultList.tsx";
import { useForm } from "../form.ts";
import { Everything } from "./Everything.tsx";
import { RefusedSteps } from "./RefusedSteps.tsx";
import { WarningList } from "./WarningList.tsx";

/** Everything once more, what is missing, what is worth a thought, and the button. */
export default function ReviewPart() {
  const { t } = useTranslation("new");
  const { faults, isRevealed, dataset, sending } = useForm();
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
          {/* What lies on a field is named below, with the way there. */}
          {error !== null && faultsOf(error).length === 0 && <ProblemAlert error={error} />}
          {error !== null && <RefusedSteps error={error} />}
          {faults.length > 0 && <FaultList faults={faults} isUrgent={isRevealed || error !== null} />}
        </Stack>
      </div>
      <WarningList />
      <Everything />
      <Stack gap="xs" align="flex-start">
        <BusyButton size="md" isBusy={sending.isSending} onClick={submit}>
          {t(dataset === undefined ? "review.submit" : "review.submitVersion")}
        </BusyButton>
        <Text size="sm" c="dimmed">
          {t("review.after")}
        </Text>
      </Stack>
    </Stack>
  );
}
