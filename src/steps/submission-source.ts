/** Which columns of a submission name its source. The other files of the steps know only {@link Source}. */
import type { LoggedSubmission } from "../archive/receipts/logs.ts";
import type { SubmissionRow } from "../db/submissions/submissions.ts";
import { Problem } from "../domain/problems.ts";
import { openAccess } from "../domain/source-access/sealed-access.ts";
import { areaOf, placeOfArea } from "../domain/source-access/upload-place.ts";
import type { Source } from "../source/source.ts";
import type { StepContext } from "./context.ts";

/** The source of a submission, with its credentials. @throws Problem `credentials_required` if they have been erased */
export function sourceOf(
  { vault, sources, uploads }: Pick<StepContext, "vault" | "sources" | "uploads">,
  row: SubmissionRow,
): Source {
  const area = areaOf(row);
  if (area === undefined) return sources.open(openAccess(vault, row));
  if (uploads === undefined) throw new Problem("upload_unreadable", "This service has no folder for uploads");
  return sources.open(placeOfArea(uploads.root, area, row.id));
}

/** The source as a part of a sentence, such as: the bucket “b”. */
export function sourceInWords(row: Pick<SubmissionRow, "endpoint" | "bucket">): string {
  return areaOf(row) === undefined ? `the bucket “${row.bucket}”` : "the upload";
}

/** The source at the beginning of a sentence. */
export function sourceAsSubject(row: Pick<SubmissionRow, "endpoint" | "bucket">): string {
  return areaOf(row) === undefined ? "The bucket" : "The upload";
}

/** The text about a new version of the dataset in the inventory of its OCFL object. */
export function inventoryMessage(row: Pick<SubmissionRow, "id" | "endpoint" | "bucket">): string {
  const { id, bucket } = row;
  const from = areaOf(row) === undefined ? `the bucket ${bucket}` : `the upload ${bucket}`;
  return `Archived from ${from} by submission ${id}`;
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
