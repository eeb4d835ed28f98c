import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { LONGEST_MAIL_ADDRESS, LONGEST_NAME, LONGEST_REASON } from "../../../../packages/rules/src/index.ts";
import { accessRequestsOf } from "../../../db/publication/access-requests.ts";
import { isBlank, isMailAddress } from "../../../domain/blank.ts";
import { Problem, type Remark } from "../../../domain/problems.ts";
import { invalid } from "../../../intake/request.ts";
import { type AccessWanted, requestAccess } from "../../../publication/commands/access-requests.ts";
import { comparableEmail } from "../../../publication/rules/grants.ts";
import { requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/access-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { requirePublication, requireReadableDataset } from "../../requests/require-resource.ts";
import { viewAccessRequest, viewOwnRequest } from "../../responses/access-views.ts";
import { AccessRequestView } from "../../schemas/access.ts";
import { closedObject, DatasetParams, object, optionalText, uuid } from "../../schemas.ts";

const AccessRequestBody = closedObject("AccessRequestBody", "A request for access to closed files.", {
  reason: Type.String({ maxLength: LONGEST_REASON, description: "What the files are needed for; cannot be empty." }),
  name: optionalText({ maxLength: LONGEST_NAME, description: "Name of the person. Mandatory without a token." }),
  email: optionalText({
    maxLength: LONGEST_MAIL_ADDRESS,
    description:
      "E-mail address of the person. Mandatory without a token. Ignored if the identity provider has verified one.",
  }),
});

const Received = object("AccessRequestReceived", "The dataset for which access was requested.", {
  dataset: uuid("Id of the dataset."),
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
});

/** Asks for access to closed files. */
export const accessRequest = operation({
  route: "POST /dataset/:id/access-request",
  operationId: "requestAccess",
  summary: "Ask for access to closed files",
  description:
    "Asks the owner for access to the files of a published version, with a reason. Callers without a token state their name and e-mail address. A person has at most one open request for a dataset; repeating the request has no effect, and the response does not tell. Owner and curators see the request, and it is deleted a year after the answer.",
  tag: "Access",
  problems: ["dataset_withdrawn", "publication_off", "not_published", "access_not_needed", "access_limit"],
  options: { bodyLimit: 64 * 1024 },
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  body: withExample(AccessRequestBody, {
    reason: examples.accessRequest.reason,
    name: "Ada Lovelace",
    email: "ada@example.org",
  }),
  response: {
    202: documented(Received, {
      description: "The request is received.",
      example: { dataset: examples.accessRequest.dataset, version: 1 },
    }),
  },
  handler: async (context, request, reply) => {
    requirePublication(context);
    const version = await requireVersion(context, request);
    const wanted = wantedBy(request, request.body);
    if (version.reader.noFiles === null) throw new Problem("access_not_needed");
    await context.limits.ask(request, reply);
    const of = { dataset_id: version.dataset.id, version: version.number };
    await requestAccess(context.intake, { ...wanted, ...of });
    return { dataset: of.dataset_id, version: of.version };
  },
});

/** Lists the requests for access to a dataset. */
export const accessRequestList = operation({
  route: "GET /dataset/:id/access-request",
  operationId: "listAccessRequests",
  summary: "List requests for access",
  description:
    "Returns the requests for access to a dataset, newest first: to owner and curators all of them, and to other signed-in people their own, with the answers.",
  tag: "Access",
  problems: ["dataset_withdrawn"],
  params: DatasetParams,
  response: {
    200: documented(Type.Array(AccessRequestView), { description: "The requests.", example: [examples.accessRequest] }),
  },
  handler: async (context, request) => {
    const { caller } = request;
    if (caller === null) throw new Problem("unauthenticated");
    const { dataset, publicVersions } = await requireReadableDataset(context, request);
    if (publicVersions === undefined) {
      return (await accessRequestsOf(context.db, dataset.id)).map(viewAccessRequest);
    }
    return (await accessRequestsOf(context.db, dataset.id, caller.owner)).map(viewOwnRequest);
  },
});

/** Reads who asks. @throws Problem `invalid_request` with all errors */
function wantedBy(
  { caller }: FastifyRequest,
  { reason, name = "", email = "" }: Static<typeof AccessRequestBody>,
): Omit<AccessWanted, "dataset_id" | "version"> {
  const errors: Remark[] = [];
  const add = (pointer: string, code: Remark["code"], detail: string) => errors.push({ pointer, code, detail });
  const verified = caller?.email;
  if (isBlank(reason)) add("/reason", "required", "State what you need the files for.");
  if (caller === null && isBlank(name)) add("/name", "required", "State your name.");
  if (/\p{Cc}/u.test(name)) add("/name", "wrong_value", "The name contains control characters.");
  if (caller === null && email === "") add("/email", "required", "State your e-mail address.");
  else if (email !== "" && !isMailAddress(email)) {
    add("/email", "email_invalid", "The value is not a plain e-mail address.");
  }
  if (errors.length > 0) throw invalid(errors, []);
  const address = verified ?? email;
  return {
    account: caller?.owner ?? null,
    name: isBlank(name) ? null : name.trim(),
    email: address === "" ? null : comparableEmail(address),
    email_verified: verified !== undefined,
    reason: reason.trim(),
  };
}
