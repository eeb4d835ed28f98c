import { Skeleton, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { faultsOf } from "../../api/intake.ts";
import { ProblemAlert } from "../../ui/ProblemAlert.tsx";
import { FaultList } from "../FaultList.tsx";
import { useForm } from "../form.ts";
import { useFaultsIn } from "../useFaultsIn.ts";
import { PreviewOf } from "./PreviewOf.tsx";
import { Steps } from "./Steps.tsx";

/** What the test of the connection has shown, and then what lies in the bucket. */
export function Findings() {
  const { t } = useTranslation("new");
  const { isTesting, passed, report, isCounting, preview, error, isStale } = useForm().connection;
  const faults = useFaultsIn("where");
  if (!isTesting && report === undefined && error === null) return null;
  return (
    <Stack gap="xl" aria-busy={isTesting || isCounting}>
      {isStale && (
        <Text c="dimmed" role="status">
          {t("where.stale")}
        </Text>
      )}
      {error !== null && faultsOf(error).length === 0 && <ProblemAlert error={error} />}
      {error !== null && faultsOf(error).length > 0 && faults.length > 0 && <FaultList faults={faults} isUrgent />}
      {(isTesting || report !== undefined) && <Steps report={isTesting ? undefined : report} passed={passed} />}
      {isCounting && <Skeleton height={280} radius="md" aria-label={t("preview.counting")} role="status" />}
      {preview !== undefined && <PreviewOf preview={preview} />}
    </Stack>
  );
}
