import type { Submission } from "@accession/client";
import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt.ts";
import { useFormats } from "../ui/format.ts";
import { isPartial, ReceiptStatement } from "../ui/ReceiptStatement.tsx";
import { Part } from "./Part.tsx";
import classes from "./Receipt.module.css";

interface Props {
  receipt: Receipt;
  withdrawn: Submission["withdrawn"];
  /** The signature is valid. */
  isTrusted: boolean;
}

/** Whether the source may be deleted. A “yes” requires a valid signature and a dataset that has not been withdrawn. */
export function Deletion({ receipt, withdrawn, isTrusted }: Props) {
  const { t } = useTranslation("receipt");
  const { date } = useFormats();
  const isYes = receipt.sourceMayBeDeleted === "yes";
  const verdict = isYes ? t(isPartial(receipt) ? "deletion.yesPart" : "deletion.yes") : t("deletion.no");
  const said =
    withdrawn !== null
      ? t("deletion.withdrawn", { date: date(withdrawn.at) })
      : isYes && !isTrusted
        ? t("deletion.untrusted", { verdict })
        : verdict;
  return (
    <Part title={t("deletion.title")}>
      <p className={classes.verdict} data-tone={isYes && isTrusted && withdrawn === null ? "good" : "warn"}>
        {said}
      </p>
      <ReceiptStatement receipt={receipt} />
    </Part>
  );
}
