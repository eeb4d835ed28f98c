import { Type } from "typebox";
import { ROLES } from "../../auth/rules.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import { callerOf } from "../requests/access.ts";

const CallerView = Type.Object(
  {
    owner: Type.String({ description: "In whose name the caller submits." }),
    roles: Type.Array(Type.Enum([...ROLES]), { description: "What any of them may do, the caller may." }),
  },
  { title: "Caller", description: "Who the caller is to the service." },
);

/** Who the caller is to this service: also the simplest way to find out whether a token is valid. */
export function caller(server: Server): void {
  server.get(
    "/caller",
    {
      schema: {
        operationId: "getCaller",
        summary: "Say who the caller is",
        description:
          "As whom the token lets its holder in. Without sign-in everybody is `local`, and may do everything.",
        tags: ["Operating"],
        response: {
          200: answer(CallerView, {
            description: "Who it is.",
            example: { owner: "josiah", roles: ["submitter"] },
          }),
        },
      },
    },
    async (request) => {
      const { owner, roles } = callerOf(request);
      return { owner, roles: [...roles] };
    },
  );
}
