/** Which columns of a submission name its source. The other files of the steps know only {@link Source}. */
import type { LoggedSubmission } from "../archive/receipts/logs.ts";
import type { SubmissionRow } from "../db/submissions/submissions.ts";
import { openAccess } from "../domain/source-access/sealed-access.ts";
import type { Source } from "../source/source.ts";
import type { StepContext } from "./context.ts";

/** The source of a submission, with its credentials. @throws Problem `credentials_required` if they have been erased */
export function sourceOf({ vault, sources }: Pick<StepContext, "vault" | "sources">, row: SubmissionRow): Source {
  return sources.open(openAccess(vault, row));
}

/** The source as a part of a sentence, such as: the bucket “b”. */
export function sourceInWords({ bucket }: Pick<SubmissionRow, "bucket">): string {
  return `the bucket “${bucket}”`;
}

/** The text about a new version of the dataset in the inventory of its OCFL object. */
export function inventoryMessage({ id, bucket }: Pick<SubmissionRow, "id" | "bucket">): string {
  return `Archived from the bucket ${bucket} by submission ${id}`;
}

/** Whether two submissions read the same objects, so that what one has read need not be read again. */
export function haveSameSource(one: SubmissionRow, other: SubmissionRow): boolean {
  return one.endpoint === other.endpoint && one.bucket === other.bucket;
}

/** The source as the logs of the package state it. */
export function loggedSource(row: SubmissionRow): LoggedSubmission["source"] {
  const { endpoint, region, bucket, addressing, anonymous, selection } = row;
  return { endpoint, region, bucket, addressing, anonymous, selection };
}
