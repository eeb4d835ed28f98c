import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt/receipt.ts";
import { ComparedLists } from "./ComparedLists.tsx";

export interface ReceiptListsProps {
  digestLists: NonNullable<Receipt["digestLists"]>;
}

/**
 * The checksum lists that a receipt states. A dataset is archived only if all lists were read, if no listed file is missing, and if
 * the different ones were excluded.
 */
export function ReceiptLists({ digestLists }: ReceiptListsProps) {
  const { t } = useTranslation("listed");
  const { lists, differing, ...comparison } = digestLists;
  const digests = {
    ...{ lists, unread: [], differing, differingExcluded: differing },
    comparison: { ...comparison, missing: { total: 0, keys: [] } },
  };
  return <ComparedLists digests={digests} uncompared={t("notCompared.never")} outcome={t("archived")} />;
}
