import { Skeleton, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ProblemAlert } from "../../ui/ProblemAlert.tsx";
import { useForm } from "../form.ts";
import { PreviewOf } from "./PreviewOf.tsx";
import { Steps } from "./Steps.tsx";

/** What the test of the connection has shown, and then what lies in the bucket. */
export function Findings() {
  const { t } = useTranslation("new");
  const { isTesting, passed, report, isCounting, preview, error, isStale } = useForm().connection;
  if (!isTesting && report === undefined && error === null) return null;
  return (
    <Stack gap="xl" aria-busy={isTesting || isCounting}>
      {isStale && (
        <Text c="dimmed" role="status">
          {t("where.stale")}
        </Text>
      )}
      {error !== null && <ProblemAlert error={error} />}
      {(isTesting || report !== undefined) && <Steps report={isTesting ? undefined : report} passed={passed} />}
      {isCounting && <Skeleton height={280} radius="md" aria-label={t("preview.counting")} role="status" />}
      {preview !== undefined && <PreviewOf preview={preview} />}
    </Stack>
  );
}
