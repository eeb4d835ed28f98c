import { Type } from "typebox";
import { accept } from "../../intake/accept.ts";
import { readUpload, UploadRequest } from "../../intake/request.ts";
import { Problem } from "../../submission/problems.ts";
import { callerOf } from "../access.ts";
import { readForm } from "../bodies.ts";
import type { HttpContext, Server } from "../context.ts";
import { isAbout } from "../observe.ts";
import { answer, withExample } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { location } from "../openapi/headers.ts";
import { SubmissionView } from "../schemas.ts";
import { showSubmission } from "../submissions.ts";
import { callAt } from "../target.ts";
import { unchecked } from "../validation.ts";

/** uploadS3 of e!DAL-PGP's API: takes a submission on, as JSON or as a multipart form. */
export function s3upload(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3upload",
    {
      ...unchecked,
      config: {
        problems: [
          "source_check_failed",
          "source_timeout",
          "source_empty",
          "quota_exceeded",
          "idempotency_conflict",
          "not_found",
          "dataset_withdrawn",
          "dataset_busy",
        ],
      },
      schema: {
        operationId: "uploadS3",
        summary: "Submit a bucket",
        description:
          "Metadata are validated and the bucket is checked; the submission survives a power loss before the answer is sent. Of a refused request nothing is kept. A caller that goes away after the last byte of the request has submitted all the same. A form has each member as a part that holds one JSON text; `s3access` is taken for `s3Access`.",
        tags: ["Submitting"],
        consumes: ["application/json", "multipart/form-data"],
        headers: Type.Object({
          "idempotency-key": Type.Optional(
            Type.String({
              description: "Requests of the same key and content are one submission, for 30 days.",
              examples: ["experiment-2026-11"],
            }),
          ),
        }),
        body: withExample(UploadRequest, examples.upload),
        response: {
          202: answer(SubmissionView, {
            description: "It was taken on, or was before under the same key.",
            headers: { Location: location },
            example: examples.accepted,
          }),
        },
      },
    },
    async (request, reply) => {
      const upload = readUpload(request.isMultipart() ? await readForm(request) : request.body);
      await callAt(context, request, reply, upload.access.endpoint);
      const { owner, email } = callerOf(request);
      const idempotencyKey = keyOf(request.headers["idempotency-key"]);
      // The whole request is here: a caller that goes away now, such as a closed tab, has submitted all the same.
      const accepted = accept(context.intake, { owner, email, upload, idempotencyKey }, context.stopping);
      request.work = accepted;
      const row = await accepted;
      isAbout(request, { submission: row.id });
      return reply
        .code(202)
        .header("location", `${context.basePath}/submission/${row.id}`)
        .send(await showSubmission(context, row));
    },
  );
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
