import { findSubmission, type SubmissionRow } from "../../../db/submissions/submissions.ts";
import { Problem } from "../../../domain/problems.ts";
import { accept } from "../../../intake/accept.ts";
import { readTitledUpload } from "../../../intake/source/titled-upload.ts";
import type { Caller } from "../../../people/caller.ts";
import type { HttpContext } from "../../context.ts";
import * as examples from "../../openapi/examples.ts";
import { idempotentReplayed, location } from "../../openapi/headers.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { setRequestSubject } from "../../requests/request-log.ts";
import { submissionView } from "../../responses/submissions.ts";
import { TitleToPublish } from "../../schemas/upload.ts";
import { SubmissionView } from "../../schemas.ts";

/** Submits the files that were sent under a title (local mode of the web client of e!DAL-PGP). */
export const titlePublish = operation({
  route: "POST /submission/publication/publish",
  operationId: "submitDatasetFiles",
  summary: "Submit the files of a dataset",
  description:
    "Submits the files that the caller has sent with `POST /submission/upload/dataset`, with their metadata, like `POST /submission/upload/s3upload`. While files of the caller are arriving, the request waits for up to 20 seconds. Files of the caller that did not arrive completely are reported once (`upload_incomplete`), whatever their title. The service validates the metadata now; after an error, send the files again with correct metadata. A second request returns the same submission, with the header `Idempotent-Replayed: true`. Files that are sent later with the same title are a new upload, which becomes a new dataset.\n\nThe name is that of e!DAL-PGP: whether and when the archived dataset is published is decided as for every submission. The web client does not show errors of this request: the list of submissions has what was accepted.",
  tag: "Submitting",
  problems: [
    "uploads_off",
    "not_found",
    "upload_arriving",
    "upload_incomplete",
    "too_many_uploads",
    "upload_metadata_differ",
    "upload_empty",
    "upload_changed",
    "upload_submitted",
    "quota_exceeded",
  ],
  body: withExample(TitleToPublish, { title: examples.metadata.title }),
  response: {
    202: documented(SubmissionView, {
      description: "The submission was accepted, or an earlier request created it.",
      headers: { Location: location, "Idempotent-Replayed": idempotentReplayed },
      example: examples.accepted,
    }),
  },
  handler: async (context, request, reply) => {
    const work = submit(context, callerOf(request), request.body.title.trim());
    request.work = work;
    const { row, isEarlier } = await work;
    setRequestSubject(request, { submission: row.id });
    if (isEarlier) reply.header("idempotent-replayed", "true");
    reply.header("location", `${context.basePath}/submission/${row.id}`);
    return submissionView(context, row);
  },
});

async function submit(
  { intake, db, stopping }: HttpContext,
  { owner, email }: Caller,
  title: string,
): Promise<{ row: SubmissionRow; isEarlier: boolean }> {
  const found = await readTitledUpload(intake, owner, title, stopping);
  if ("upload" in found) {
    return accept(intake, { owner, email, upload: found.upload, idempotencyKey: undefined, isRepeat: false }, stopping);
  }
  const row = await findSubmission(db, found.submission);
  if (row === undefined) throw new Problem("not_found", "The submission of these files does not exist any more");
  return { row, isEarlier: true };
}
