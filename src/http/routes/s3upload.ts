import { Type } from "typebox";
import { accept } from "../../intake/accept.ts";
import { readUpload, UploadRequest } from "../../intake/request.ts";
import { Problem } from "../../submission/problems.ts";
import { callerOf } from "../access.ts";
import { readForm } from "../bodies.ts";
import { goneSignal, type HttpContext, type Server } from "../context.ts";
import { isAbout } from "../observe.ts";
import { problems, SubmissionView } from "../schemas.ts";
import { showSubmission } from "../submissions.ts";
import { callAt } from "../target.ts";
import { unchecked } from "../validation.ts";

/** uploadS3 of e!DAL-PGP's API: takes a submission on, as JSON or as a multipart form. */
export function s3upload(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3upload",
    {
      ...unchecked,
      schema: {
        operationId: "uploadS3",
        summary: "Submit a bucket",
        tags: ["Submitting"],
        consumes: ["application/json", "multipart/form-data"],
        headers: Type.Object({
          "idempotency-key": Type.Optional(
            Type.String({ description: "Requests of the same key and content are one submission, for 30 days." }),
          ),
        }),
        body: UploadRequest,
        response: { 202: SubmissionView, ...problems },
      },
    },
    async (request, reply) => {
      const upload = readUpload(request.isMultipart() ? await readForm(request) : request.body);
      await callAt(context, request, reply, upload.access.endpoint);
      const { owner, email } = callerOf(request);
      const idempotencyKey = keyOf(request.headers["idempotency-key"]);
      const row = await accept(context.intake, { owner, email, upload, idempotencyKey }, goneSignal(reply));
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
