import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { contentDisposition } from "../../openapi/headers.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { IdParams } from "../../schemas.ts";

/** Returns the signed receipt of a completed submission. */
export function submissionReceipt(server: Server, context: HttpContext): void {
  server.get(
    "/submission/:id/receipt",
    {
      config: { problems: ["wrong_state"] },
      schema: {
        operationId: "getReceipt",
        summary: "Download the receipt",
        description: "Returns the receipt as a compact JWS (EdDSA). The public keys are at `/.well-known/jwks.json`.",
        tags: ["Submissions"],
        params: IdParams,
        response: {
          200: answer(Type.String(), {
            description: "The receipt.",
            headers: { "Content-Disposition": contentDisposition },
            media: { "application/jose": "eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLiJ9.eyJzdWJtaXNzaW9uIjp7fX0.c2lnbmF0dXJl" },
          }),
        },
      },
    },
    async (request, reply) => {
      const row = await requireSubmission(context, request);
      if (row.status !== "completed" || row.receipt === null) {
        throw new Problem("wrong_state", `A submission that is ${row.status} has no receipt`);
      }
      return reply
        .type("application/jose")
        .header("content-disposition", `attachment; filename="receipt-${row.id}.jws"`)
        .serializer((text: unknown) => text as string)
        .send(row.receipt);
    },
  );
}
