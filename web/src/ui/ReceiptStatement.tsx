import { useTranslation } from "react-i18next";
import type { Receipt } from "../api/receipt/receipt.ts";
import { useFormats } from "./text/format.ts";
import { isUpload } from "./upload-source.ts";

/** The ends of statements about buckets and uploads. Others are not explained, because their limits are not known here. */
const LIMITS = [
  "Only current object versions were read, and this archive holds one copy.",
  "Files that were not sent are not covered, and this archive holds one copy.",
];

/** Why the source data may or may not be deleted, in the language of the page, then the signed English wording. */
export function ReceiptStatement({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation("ui");
  const sentences = useSentences()(receipt);
  return (
    <>
      {LIMITS.some((end) => receipt.statement.endsWith(end)) && <p>{sentences.join(" ")}</p>}
      <p>
        {t("receipt.statement")} <q lang="en">{receipt.statement}</q>
      </p>
    </>
  );
}

/** Gives the content of the statement as sentences, from the values of the receipt. */
function useSentences(): (receipt: Receipt) => string[] {
  const { t } = useTranslation("ui");
  const { count } = useFormats();
  return (receipt) => {
    const { counts, driftTotal, verified, changes, sourceMayBeDeleted } = receipt;
    const isPart = isPartial(receipt);
    const isYes = sourceMayBeDeleted === "yes";
    const counted = (name: "submitter" | "excluded" | "drift" | "length" | "notRead", number: number) =>
      number > 0 ? [t(`receipt.${name}`, { count: number, shown: count(number) })] : [];
    return [
      ...(isYes ? [t(`receipt.stored${scopeOf(receipt)}`)] : []),
      ...counted("submitter", verified.submitter ?? 0),
      ...counted("excluded", counts.excluded),
      ...counted("drift", driftTotal),
      ...counted("length", verified.length ?? 0),
      ...(isPart ? [t("receipt.part")] : []),
      ...counted("notRead", changes?.kept.notRead ?? 0),
      t(isUpload(receipt.source) ? "receipt.limitsUpload" : "receipt.limits"),
      ...(isYes ? [t("receipt.secondCopy")] : []),
    ];
  };
}

/** The data that may be deleted, as the end of the names of texts: the whole bucket, a part of it, or the files of an upload. */
export function scopeOf(receipt: Receipt): "" | "Part" | "Upload" {
  if (isUpload(receipt.source)) return "Upload";
  return isPartial(receipt) ? "Part" : "";
}

/** Whether only a part of the bucket was selected. */
function isPartial({ source: { selection } }: Receipt): boolean {
  const { prefix, include, exclude } = selection;
  return [prefix, include, exclude].some((chosen) => (chosen?.length ?? 0) > 0);
}
