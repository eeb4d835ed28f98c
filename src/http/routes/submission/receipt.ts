import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import { contentDisposition } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { sendText } from "../../responses/send-text.ts";
import { IdParams } from "../../schemas.ts";

/** Returns the signed receipt of a completed submission. */
export const submissionReceipt = operation({
  route: "GET /submission/:id/receipt",
  operationId: "getReceipt",
  summary: "Download the receipt",
  description: "Returns the receipt as a compact JWS (EdDSA). The public keys are at `/.well-known/jwks.json`.",
  tag: "Submissions",
  problems: ["wrong_state"],
  params: IdParams,
  response: {
    200: documented(Type.String(), {
      description: "The receipt.",
      headers: { "Content-Disposition": contentDisposition },
      media: { "application/jose": "eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLiJ9.eyJzdWJtaXNzaW9uIjp7fX0.c2lnbmF0dXJl" },
    }),
  },
  handler: async (context, request, reply) => {
    const row = await requireSubmission(context, request);
    if (row.status !== "completed" || row.receipt === null) {
      throw new Problem("wrong_state", `A submission that is ${row.status} has no receipt`);
    }
    reply.header("content-disposition", `attachment; filename="receipt-${row.id}.jws"`);
    return sendText(reply, "application/jose", row.receipt);
  },
});
