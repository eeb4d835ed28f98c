import { Type } from "typebox";
import { ROLES } from "../../people/rules.ts";
import { answer, operation } from "../operation.ts";
import { callerOf } from "../requests/access.ts";

const CallerView = Type.Object(
  {
    owner: Type.String({ description: "Owner of the submissions that the caller makes." }),
    roles: Type.Array(Type.Enum([...ROLES]), { description: "Roles of the caller. Permissions add up." }),
  },
  { title: "Caller", description: "The authenticated caller." },
);

/** Returns the authenticated caller. It is also the simplest way to check a token. */
export const caller = operation({
  route: "GET /caller",
  operationId: "getCaller",
  summary: "Retrieve the caller",
  description:
    "Returns the owner name and the roles of the authenticated caller. Without sign-in, every caller is `local` and has all roles.",
  tag: "Operating",
  response: {
    200: answer(CallerView, { description: "The caller.", example: { owner: "josiah", roles: ["submitter"] } }),
  },
  handler: async (_context, request) => {
    const { owner, roles } = callerOf(request);
    return { owner, roles: [...roles] };
  },
});
