import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import { accept } from "../../../intake/accept.ts";
import { invalid, readUpload, UploadRequest } from "../../../intake/request.ts";
import * as examples from "../../openapi/examples.ts";
import { idempotentReplayed, location } from "../../openapi/headers.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt, callerOf } from "../../requests/access.ts";
import { readForm } from "../../requests/bodies.ts";
import { setRequestSubject } from "../../requests/request-log.ts";
import { unchecked } from "../../requests/validation.ts";
import { submissionView } from "../../responses/submissions.ts";
import { optionalText, SubmissionView } from "../../schemas.ts";

/** Accepts a submission as JSON or as a multipart form (`uploadS3` of the API of e!DAL-PGP). */
export const s3upload = operation({
  route: "POST /submission/upload/s3upload",
  operationId: "uploadS3",
  summary: "Submit a bucket",
  description:
    "Validates the metadata, checks the bucket and accepts the submission. The submission is durably stored before the response is sent. The service stores nothing from a rejected request. If the client disconnects after sending the whole request, the submission still proceeds.\n\nIdentical requests: a request without `Idempotency-Key` that is identical to an earlier one of the same owner (metadata, bucket, credentials, selection, dataset, e-mail address) returns the earlier submission, if that is still open or was accepted in the last ten minutes. The response then has the header `Idempotent-Replayed: true`. It creates a new submission if the earlier one failed or was cancelled, or if its dataset was withdrawn. `Accession-Repeat: true` always creates a new submission.\n\nForms: a multipart form has a part for each member, with a JSON text. `s3access` is accepted for `s3Access`.",
  tag: "Submitting",
  problems: [
    "source_check_failed",
    "source_timeout",
    "source_empty",
    "quota_exceeded",
    "idempotency_conflict",
    "doi_off",
    "not_found",
    "dataset_withdrawn",
    "dataset_busy",
    "archive_newer",
    "uploads_off",
    "upload_submitted",
    "upload_empty",
    "upload_incomplete",
    "upload_changed",
  ],
  options: unchecked,
  consumes: ["application/json", "multipart/form-data"],
  headers: Type.Object({
    "idempotency-key": optionalText({
      description:
        "Unique key of the request. For 30 days, a request with the same key and content returns the same submission.",
      examples: ["experiment-2026-11"],
    }),
    "accession-repeat": Type.Optional(
      Type.Enum(["true", "false"], {
        description: "`true` to create a new submission even if an identical request was accepted before.",
        examples: ["true"],
      }),
    ),
  }),
  body: withExample(UploadRequest, examples.upload),
  response: {
    202: documented(SubmissionView, {
      description: "The submission was accepted, or an earlier request with the same key or content created it.",
      headers: { Location: location, "Idempotent-Replayed": idempotentReplayed },
      example: examples.accepted,
    }),
  },
  handler: async (context, request, reply) => {
    const body = request.isMultipart() ? await readForm(request) : request.body;
    const upload = readUpload(body, context.intake.fieldGroups);
    if ("access" in upload.source) await callAt(context, request, reply, upload.source.access.endpoint);
    const { owner, email } = callerOf(request);
    const idempotencyKey = keyOf(request.headers["idempotency-key"]);
    const isRepeat = repeatOf(request.headers["accession-repeat"]);
    const asked = { owner, email, upload, idempotencyKey, isRepeat };
    // The whole request has arrived, so a client that disconnects now, such as a closed tab, does not cancel it.
    const accepted = accept(context.intake, asked, context.stopping);
    request.work = accepted;
    const { row, isEarlier } = await accepted;
    setRequestSubject(request, { submission: row.id });
    if (isEarlier) reply.header("idempotent-replayed", "true");
    reply.header("location", `${context.basePath}/submission/${row.id}`);
    return submissionView(context, row);
  },
});

function repeatOf(header: string | undefined): boolean {
  if (header === undefined || header === "" || header === "false") return false;
  if (header === "true") return true;
  const detail = "“true” or “false” is needed in Accession-Repeat.";
  throw invalid([{ pointer: "", code: "wrong_value", detail }], []);
}

function keyOf(header: string | undefined): string | undefined {
  if (header === undefined || header === "") return undefined;
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw new Problem("invalid_request", "The Idempotency-Key cannot be used", {
    errors: [
      { pointer: "", code: "idempotency_key_invalid", detail: "1 to 255 printable ASCII characters are needed." },
    ],
  });
}
