import { Type } from "typebox";
import { findGrant, grantsOf } from "../../../db/publication/access-grants.ts";
import { usesOfGrant } from "../../../db/publication/grant-uses.ts";
import { Problem } from "../../../domain/problems.ts";
import { grantAccess, revokeAccess } from "../../../publication/commands/access-grants.ts";
import { readWish, terms, viewNewGrant } from "../../dataset/new-grant.ts";
import { requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/access-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { requireDataset, requirePublication } from "../../requests/require-resource.ts";
import { viewGrant, viewGrantUse } from "../../responses/access-views.ts";
import { AccessGrantUseView, AccessGrantView, GrantKindName, NewAccessGrantView } from "../../schemas/access.ts";
import { closedObject, DatasetParams, optionalText } from "../../schemas.ts";

const GrantRequest = closedObject("AccessGrantRequest", "Access to grant.", {
  kind: GrantKindName,
  person: optionalText({
    maxLength: 2_000,
    description: "Owner name, OpenID subject or e-mail address; absent for a link.",
  }),
  ...terms,
});

const GrantParams = Type.Object({
  ...DatasetParams.properties,
  grant: Type.String({ description: "Id of the grant.", examples: [examples.GRANT] }),
});

/** Grants access to closed files. */
export const accessGrant = operation({
  route: "POST /dataset/:id/access-grant",
  operationId: "grantAccess",
  summary: "Grant access to closed files",
  description:
    "Opens the files of a published version with restricted access or under embargo to a person, or to all who have a link. Versions that are not published stay closed. For owner and curators. The secret of a link is returned only once; the service stores its digest.",
  tag: "Access",
  problems: ["dataset_withdrawn", "publication_off", "not_published", "access_limit"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  body: withExample(GrantRequest, { kind: "subject", person: "ada", note: examples.accessGrant.note }),
  response: { 201: documented(NewAccessGrantView, { description: "The grant.", example: examples.newAccessGrant }) },
  handler: async (context, request) => {
    requirePublication(context);
    const version = await requireVersion(context, request);
    const { kind, person = null, ...sent } = request.body;
    const { wish, secret } = readWish(context, kind, person, sent);
    const of = { dataset: version.dataset.id, version: version.number, by: callerOf(request).owner };
    const grant = await grantAccess(context.intake, { ...wish, ...of });
    return viewNewGrant(context, grant, version.number, secret);
  },
});

/** Lists the grants of a dataset. */
export const accessGrantList = operation({
  route: "GET /dataset/:id/access-grant",
  operationId: "listAccessGrants",
  summary: "List grants of access",
  description: "Returns the grants of a dataset, newest first, also those that have ended. For owner and curators.",
  tag: "Access",
  problems: ["dataset_withdrawn"],
  params: DatasetParams,
  response: {
    200: documented(Type.Array(AccessGrantView), { description: "The grants.", example: [examples.accessGrant] }),
  },
  handler: async (context, request) => {
    const dataset = await requireDataset(context, request);
    await context.grantUses.settled();
    return (await grantsOf(context.db, dataset.id)).map(viewGrant);
  },
});

/** Lists what was read with a grant. */
export const accessGrantUses = operation({
  route: "GET /dataset/:id/access-grant/:grant/uses",
  operationId: "listAccessGrantUses",
  summary: "List what was read with a grant",
  description:
    "Returns the files, folders and packages that were read with a grant, last used first. Entries are deleted a year after their last use; `uses` of the grant still counts them. For owner and curators.",
  tag: "Access",
  problems: ["dataset_withdrawn"],
  params: GrantParams,
  response: {
    200: documented(Type.Array(AccessGrantUseView), {
      description: "What was read.",
      example: [examples.accessGrantUse],
    }),
  },
  handler: async (context, request) => {
    const dataset = await requireDataset(context, request);
    const grant = await findGrant(context.db, request.params.grant);
    if (grant?.dataset_id !== dataset.id) throw new Problem("not_found", "The dataset has no such grant");
    await context.grantUses.settled();
    return (await usesOfGrant(context.db, grant.id)).map(viewGrantUse);
  },
});

/** Revokes a grant. */
export const accessRevoke = operation({
  route: "DELETE /dataset/:id/access-grant/:grant",
  operationId: "revokeAccess",
  summary: "Revoke a grant of access",
  description:
    "Ends a grant at once. Running downloads with it end within seconds. Repeating the request has no effect. For owner and curators.",
  tag: "Access",
  problems: ["dataset_withdrawn"],
  params: GrantParams,
  response: { 204: Type.Null({ description: "The grant is revoked." }) },
  handler: async (context, request) => {
    const dataset = await requireDataset(context, request);
    await revokeAccess(context.intake, dataset.id, request.params.grant, callerOf(request).owner);
    return null;
  },
});
