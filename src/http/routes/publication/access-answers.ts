import { Type } from "typebox";
import { LONGEST_REASON } from "../../../../packages/rules/src/index.ts";
import type { AccessRequestRow } from "../../../db/publication/access-requests.ts";
import { grantRequest, refuseRequest } from "../../../publication/commands/access-requests.ts";
import type { GrantKind } from "../../../publication/rules/grants.ts";
import type { HttpContext } from "../../context.ts";
import { readWish, terms, viewNewGrant } from "../../dataset/new-grant.ts";
import * as examples from "../../openapi/access-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { requireDataset, requirePublication } from "../../requests/require-resource.ts";
import { viewAccessRequest } from "../../responses/access-views.ts";
import { AccessRequestView, NewAccessGrantView } from "../../schemas/access.ts";
import { closedObject, DatasetParams, object, optionalText } from "../../schemas.ts";

const Params = Type.Object({
  ...DatasetParams.properties,
  request: Type.String({ description: "Id of the request for access.", examples: [examples.ACCESS_REQUEST] }),
});

const answerText = {
  answer: optionalText({ maxLength: LONGEST_REASON, description: "Answer to the person; default: empty." }),
};

const GrantBody = closedObject("AccessRequestGrant", "How a request is granted.", {
  as: Type.Optional(
    Type.Enum(["person", "link"], {
      description:
        "`person` (the account that asked; without one, the e-mail address) or `link`. Default: `person`, or `link` if the person has no account and the service cannot verify e-mail addresses.",
    }),
  ),
  ...terms,
  ...answerText,
});

const RefuseBody = closedObject("AccessRequestRefusal", "Why a request is refused.", answerText);

const Granted = object("GrantedAccess", "The answered request, and the grant.", {
  request: AccessRequestView,
  grant: NewAccessGrantView,
});

/** Grants what a request asks for. */
export const accessRequestGrant = operation({
  route: "POST /dataset/:id/access-request/:request/grant",
  operationId: "grantAccessRequest",
  summary: "Grant a request for access",
  description:
    "Grants access to the person of a request, or creates a link for them, which is returned only once. For owner and curators.",
  tag: "Access",
  problems: ["dataset_withdrawn", "publication_off", "not_published", "access_answered", "access_limit"],
  params: Params,
  body: withExample(GrantBody, { as: "link", answer: "You are welcome." }),
  response: {
    200: documented(Granted, {
      description: "The answered request, and the grant.",
      example: {
        request: { ...examples.accessRequest, state: "granted" as const, grant: examples.GRANT },
        grant: examples.newAccessGrant,
      },
    }),
  },
  handler: async (context, request) => {
    requirePublication(context);
    const dataset = await requireDataset(context, request);
    const { as, answer: text = "", ...sent } = request.body;
    let secret: string | null = null;
    const given = { dataset: dataset.id, request: request.params.request, by: callerOf(request).owner, answer: text };
    const { row, grant } = await grantRequest(context.intake, given, (asked) => {
      const kind = kindFor(context, asked, as);
      const person = kind === "subject" ? asked.account : kind === "email" ? asked.email : null;
      const read = readWish(context, kind, person, sent);
      secret = read.secret;
      return read.wish;
    });
    return { request: viewAccessRequest(row), grant: viewNewGrant(context, grant, row.version, secret) };
  },
});

/** Refuses a request for access. */
export const accessRequestRefuse = operation({
  route: "POST /dataset/:id/access-request/:request/refuse",
  operationId: "refuseAccessRequest",
  summary: "Refuse a request for access",
  description: "Refuses a request for access. Repeating the request has no effect. For owner and curators.",
  tag: "Access",
  problems: ["dataset_withdrawn", "access_answered"],
  params: Params,
  body: withExample(RefuseBody, { answer: "The data contain addresses. Please contact us." }),
  response: {
    200: documented(AccessRequestView, {
      description: "The answered request.",
      example: { ...examples.accessRequest, state: "refused" as const },
    }),
  },
  handler: async (context, request) => {
    const dataset = await requireDataset(context, request);
    const { answer: text = "" } = request.body;
    const given = { dataset: dataset.id, request: request.params.request, by: callerOf(request).owner, answer: text };
    return viewAccessRequest(await refuseRequest(context.intake, given));
  },
});

function kindFor({ signIn }: HttpContext, { account }: AccessRequestRow, as: "person" | "link" | undefined): GrantKind {
  if (as === "link") return "link";
  if (account !== null) return "subject";
  return as === "person" || signIn.method === "oidc" ? "email" : "link";
}
