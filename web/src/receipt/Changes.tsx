import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt.ts";
import { Part } from "./Part.tsx";
import { Table } from "./Table.tsx";

/** Object counts by comparison with the previous version. */
export function Changes({ changes }: { changes: NonNullable<Receipt["changes"]> }) {
  const { t } = useTranslation("receipt");
  const { since, added, changed, removed, kept } = changes;
  const title = t("changes.title", { since });
  const rows = [
    [t("changes.added"), added.total],
    [t("changes.changed"), changed.total],
    [t("changes.removed"), removed.total],
    [t("changes.kept"), kept.total],
    ...(kept.notRead === undefined ? [] : [[t("changes.notRead"), kept.notRead] as const]),
  ] as const;
  return (
    <Part title={title}>
      <Table label={title} columns={[t("changes.kind"), t("verified.objects")]} rows={rows} />
    </Part>
  );
}
