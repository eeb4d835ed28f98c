import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt.ts";
import { Part } from "./Part.tsx";
import { Table } from "./Table.tsx";

/** In descending strength. */
const WAYS = ["checksum", "md5", "md5-parts", "length"] as const;

/** Object counts by verification method. */
export function Verified({ verified }: { verified: Receipt["verified"] }) {
  const { t } = useTranslation("receipt");
  const rows = WAYS.filter((way) => verified[way] > 0).map((way) => [t(`verified.${way}`), verified[way]] as const);
  return (
    <Part title={t("verified.title")}>
      {rows.length === 0 ? (
        <p>{t("verified.none")}</p>
      ) : (
        <Table label={t("verified.title")} columns={[t("verified.way"), t("verified.objects")]} rows={rows} />
      )}
    </Part>
  );
}
