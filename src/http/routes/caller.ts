import { Type } from "typebox";
import { ROLES } from "../../people/route-permissions.ts";
import { documented, operation } from "../operation.ts";
import { callerOf } from "../requests/access.ts";
import { list, object, text } from "../schemas/basics.ts";

const CallerView = object("Caller", "The authenticated caller.", {
  owner: text("Owner of the submissions that the caller makes."),
  roles: list(Type.Enum([...ROLES]), "Roles of the caller. Permissions add up."),
});

/** Returns the authenticated caller. It is also the simplest way to check a token. */
export const caller = operation({
  route: "GET /caller",
  operationId: "getCaller",
  summary: "Retrieve the caller",
  description:
    "Returns the owner name and the roles of the authenticated caller. Without sign-in, every caller is `local` and has all roles.",
  tag: "Operating",
  response: {
    200: documented(CallerView, { description: "The caller.", example: { owner: "josiah", roles: ["submitter"] } }),
  },
  handler: async (_context, request) => {
    const { owner, roles } = callerOf(request);
    return { owner, roles: [...roles] };
  },
});
