import { Type } from "typebox";
import { preview } from "../../intake/preview.ts";
import { CheckRequest, readCheck } from "../../intake/request.ts";
import { goneSignal, type HttpContext, type Server } from "../context.ts";
import { problems } from "../schemas.ts";
import { callAt } from "../target.ts";
import { unchecked } from "../validation.ts";

const PreviewView = Type.Object(
  {
    complete: Type.Boolean({ description: "False when the listing was not at its end after 10 seconds." }),
    objects: Type.Integer(),
    bytes: Type.Integer(),
    largest: Type.Array(Type.Object({ key: Type.String(), bytes: Type.Integer() })),
    unreadableStorageClasses: Type.Array(Type.Object({ storageClass: Type.String(), objects: Type.Integer() })),
    renamed: Type.Array(Type.Object({ key: Type.String(), path: Type.String(), reason: Type.String() })),
    renamedTotal: Type.Integer(),
    fits: Type.Boolean(),
    room: Type.Union([Type.Integer(), Type.Null()], {
      description: "Bytes that the archive has room for; null where an object store does not say.",
    }),
    estimatedSeconds: Type.Union([Type.Integer(), Type.Null()], { description: "A rough guess." }),
    notes: Type.Array(Type.String()),
  },
  { title: "Preview" },
);

/** What a submission would take in. */
export function s3preview(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3preview",
    {
      ...unchecked,
      schema: {
        operationId: "preview",
        summary: "Count what a submission would take in",
        tags: ["Before submitting"],
        body: CheckRequest,
        response: { 200: PreviewView, ...problems },
      },
    },
    async (request, reply) => {
      const asked = readCheck(request.body);
      await callAt(context, request, reply, asked.access.endpoint);
      return preview(context.intake, asked, goneSignal(reply));
    },
  );
}
