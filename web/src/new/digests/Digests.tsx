import { ChecksumLists } from "./ChecksumLists.tsx";
import { ReviewedLists } from "./ReviewedLists.tsx";

/**
 * The checksum lists of the form: their choice, or, in the review, what was chosen. Both sections load this module, because parts
 * that two loaded modules share would become a part of every page.
 */
export default function Digests({ isReview = false }: { isReview?: boolean }) {
  return isReview ? <ReviewedLists /> : <ChecksumLists />;
}
