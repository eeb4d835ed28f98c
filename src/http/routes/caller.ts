import { Type } from "typebox";
import { externalIdOf } from "../../domain/source-access/sealed-access.ts";
import { ROLES } from "../../people/route-permissions.ts";
import { documented, operation } from "../operation.ts";
import { callerOf } from "../requests/access.ts";
import { list, nullable, object, text } from "../schemas/basics.ts";

const RoleAccess = object(
  "RoleAccess",
  "What the trust policy of a role must contain so that the service can read your bucket with it.",
  {
    principal: text("ARN of the user or role that the service has."),
    externalId: text(
      "External id (`sts:ExternalId`) that the service always sends for you. No other user has the same.",
    ),
  },
);

const CallerView = object("Caller", "The authenticated caller.", {
  owner: text("Owner of the submissions that the caller makes."),
  roles: list(Type.Enum([...ROLES]), "Roles of the caller. Permissions add up."),
  roleAccess: nullable(RoleAccess, "For `roleArn` of a submission; null if the operator has not configured it."),
});

const EXAMPLE = {
  owner: "josiah",
  roles: ["submitter" as const],
  roleAccess: {
    principal: "arn:aws:iam::123456789012:user/accession",
    externalId: "0f3c1b7f5d1d4b0c9d0a7a7d2a0c4a1e6a0b9b0c3f5e4d7c8b9a0f1e2d3c4b5a",
  },
};

/** Returns the authenticated caller. It is also the simplest way to check a token. */
export const caller = operation({
  route: "GET /caller",
  operationId: "getCaller",
  summary: "Retrieve the caller",
  description:
    "Returns the owner name and the roles of the authenticated caller. Without sign-in, every caller is `local` and has all roles.",
  tag: "Operating",
  response: {
    200: documented(CallerView, { description: "The caller.", example: EXAMPLE }),
  },
  handler: async ({ intake: { rolePrincipal: principal, vault } }, request) => {
    const { owner, roles } = callerOf(request);
    const roleAccess = principal === undefined ? null : { principal, externalId: externalIdOf(vault, owner) };
    return { owner, roles: [...roles], roleAccess };
  },
});
