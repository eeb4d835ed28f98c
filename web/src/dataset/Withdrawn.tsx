import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Tombstone } from "../api/dataset.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { Facts } from "./Facts.tsx";
import { ReceiptButton } from "./ReceiptButton.tsx";

/** What stays of a dataset that was withdrawn. */
export function Withdrawn({ tombstone }: { tombstone: Tombstone }) {
  const { t } = useTranslation("dataset");
  const { identifier, createdAt, withdrawnAt, removedAt, reason, versions } = tombstone;
  return (
    <Stack gap="lg" maw="44rem" align="flex-start">
      <StatusBadge status="withdrawn" />
      <Text size="lg">{t("withdrawn.detail")}</Text>
      <Facts
        facts={[
          [t("withdrawn.reason"), reason],
          [t("withdrawn.at"), <DateTime key="at" iso={withdrawnAt} />],
          [
            t("withdrawn.removed"),
            removedAt === null ? t("withdrawn.beingRemoved") : <DateTime key="r" iso={removedAt} />,
          ],
          [t("about.published"), <DateTime key="p" iso={createdAt} />],
          [t("about.identifier"), identifier],
        ]}
      />
      <Text c="dimmed">{t("withdrawn.receipts")}</Text>
      {versions.map(({ version, submission }) => (
        <ReceiptButton key={version} submission={submission} words={t("receipt.ofVersion", { version })} />
      ))}
    </Stack>
  );
}
