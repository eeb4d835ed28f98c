import { ReceiptLists, type ReceiptListsProps } from "./ReceiptLists.tsx";
import { SubmissionLists, type SubmissionListsProps } from "./SubmissionLists.tsx";

/**
 * The checksum lists of a submission or of its receipt. Both pages load this module, because parts that two loaded modules
 * share would become a part of every page.
 */
export default function DigestLists(props: SubmissionListsProps | ReceiptListsProps) {
  return "digestLists" in props ? <ReceiptLists {...props} /> : <SubmissionLists {...props} />;
}
