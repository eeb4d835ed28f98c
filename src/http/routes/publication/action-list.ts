import type { FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { LONGEST_COMMENT, LONGEST_REASON } from "../../../../packages/rules/src/index.ts";
import { Problem } from "../../../domain/problems.ts";
import { Notify, requireText, statedAddress } from "../../../intake/request.ts";
import type { ActionRequest } from "../../../publication/commands/inputs.ts";
import type { Agreement } from "../../../publication/rules/publication.ts";
import type { HttpContext } from "../../context.ts";
import { callerOf } from "../../requests/access.ts";
import { closedObject, flag, optionalInteger } from "../../schemas/basics.ts";
import { AccessKindName, EmbargoDate, PlaceView } from "../../schemas/publication.ts";
import { accessWish } from "./access-wish.ts";

const comment = (description: string) => Type.String({ maxLength: LONGEST_COMMENT, description });
const optionalComment = { comment: Type.Optional(comment("Comment for the other party.")) };
const mandatoryComment = { comment: comment("What the owner should know; cannot be empty.") };

const wish = {
  access: AccessKindName,
  embargoDate: Type.Optional(EmbargoDate),
  reason: Type.Optional(comment("Reason for the access. Mandatory for an embargo, and for each change.")),
};

/** Maximum number of collections in a request. */
const MOST_COLLECTIONS = 20;

const RequestBody = closedObject("PublicationRequest", "A request for publication.", {
  agreement: Type.Union([Type.Literal(true), Type.String({ pattern: "^[0-9a-f]{64}$" })], {
    description:
      "Acceptance of the deposit agreement: the SHA-256 of the accepted text, or `true` for the default text.",
  }),
  ...wish,
  publishOnApproval: Type.Optional(
    flag("Whether approval starts publication (default); otherwise the owner chooses the moment."),
  ),
  showSource: Type.Optional(
    flag(
      "Whether the public sees where the data came from: endpoint, bucket and selection in `metadata/submission.json`, and the source manifest. Default: false.",
    ),
  ),
  collections: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: MOST_COLLECTIONS,
      description:
        "Ids of the collections to which the dataset should belong (`GET /collections`). They must accept its licence. The approval of a curator decides; the dataset belongs to them from its publication on. Services without review accept none: curators add the dataset afterwards.",
    }),
  ),
  ...optionalComment,
  notify: Type.Optional(Notify),
});
const AssignBody = closedObject("PublicationAssignment", "The curator who reviews the dataset.", {
  curator: Type.Union([Type.String({ minLength: 1, maxLength: 2_000 }), Type.Null()], {
    description: "Owner name of the curator; null removes the assignment.",
  }),
});
const CommentBody = closedObject("PublicationComment", "A comment.", {
  ...mandatoryComment,
  place: Type.Optional(PlaceView),
  answers: optionalInteger({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "Number of the comment that this one answers.",
  }),
});
const ResolutionBody = closedObject("CommentResolution", "Whether a comment is resolved.", {
  entry: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "Number of the comment in the history. An answer is resolved with the comment that it answers.",
  }),
  resolved: Type.Optional(flag("Whether it is resolved (default), or open again.")),
});
const ReasonedBody = closedObject(
  "PublicationDecision",
  "A decision that the owner must understand.",
  mandatoryComment,
);
const SimpleBody = closedObject("PublicationStep", "A decision with an optional comment.", optionalComment);
const AccessBody = closedObject("PublicationAccessChange", "New access to the files of a published version.", wish);
const WithdrawBody = closedObject("PublicationWithdrawal", "A withdrawal of the publication of a version.", {
  reason: Type.String({
    minLength: 1,
    maxLength: LONGEST_REASON,
    description: "Public reason; the landing page states it.",
  }),
});

/** An action as an operation of the API. */
export interface ActionRoute<Body extends TSchema = TSchema> {
  action: ActionRequest["action"];
  operationId: string;
  summary: string;
  description: string;
  body: Body;
  example: unknown;
  /** The address that the request states for mails. */
  notify?: (body: Static<Body>) => string | undefined;
  read: (context: HttpContext, request: FastifyRequest, body: Static<Body>) => ActionRequest;
}

const define = <Body extends TSchema>(route: ActionRoute<Body>): ActionRoute => route as unknown as ActionRoute;

/** All actions about a publication. */
export const ACTIONS: readonly ActionRoute[] = [
  define({
    action: "request",
    operationId: "requestPublication",
    summary: "Request publication",
    description:
      "Requests publication of a version, for its owner. The dataset needs a licence, and the owner accepts the deposit agreement (`GET /deposit-agreement`). With review, curators see it in their queue; without review, it is published.",
    body: RequestBody,
    example: { agreement: true, access: "open" },
    notify: ({ notify }) => statedAddress(notify?.email),
    read: (context, request, sent) => ({
      action: "request",
      input: {
        ...accessWish(sent, false),
        agreement: acceptedAgreement(context, request, sent.agreement),
        publishOnApproval: sent.publishOnApproval ?? true,
        showSource: sent.showSource ?? false,
        // Absent without any, as in the history of earlier requests.
        ...((sent.collections?.length ?? 0) > 0 && { collections: [...new Set(sent.collections)] }),
        comment: sent.comment ?? "",
      },
    }),
  }),
  define({
    action: "assign",
    operationId: "assignPublication",
    summary: "Assign the review",
    description:
      "Assigns the review to a curator, or removes the assignment. If accounts have tokens of this service, the account must have one of a curator or admin. For curators.",
    body: AssignBody,
    example: { curator: "josiah" },
    read: (_context, _request, { curator }) => ({ action: "assign", input: { curator } }),
  }),
  define({
    action: "comment",
    operationId: "commentPublication",
    summary: "Comment on a publication",
    description:
      "Adds a comment about the dataset, a metadata field or a file. For owner and curators, who see all comments.",
    body: CommentBody,
    example: { comment: "Please state the depth of the sensors.", place: { field: "/description" } },
    read: (_context, _request, { comment: text, place = null, answers = null }) => {
      requireText(text, "/comment");
      return { action: "comment", input: { comment: text, place, answers } };
    },
  }),
  define({
    action: "resolve",
    operationId: "resolvePublicationComment",
    summary: "Resolve a comment",
    description:
      "Marks a comment as resolved, or as open again. Open comments do not prevent approval. For owner and curators.",
    body: ResolutionBody,
    example: { entry: 3 },
    read: (_context, _request, { entry, resolved = true }) => ({
      action: "resolve",
      input: { answers: entry, resolved },
    }),
  }),
  define({
    action: "request-changes",
    operationId: "requestPublicationChanges",
    summary: "Request changes",
    description:
      "Returns the dataset to its owner with a comment. The owner changes it and requests publication again. For curators.",
    body: ReasonedBody,
    example: { comment: "Please add a description of the columns." },
    read: (_context, _request, { comment: text }) => {
      requireText(text, "/comment");
      return { action: "request-changes", input: { comment: text } };
    },
  }),
  define({
    action: "decline",
    operationId: "declinePublication",
    summary: "Decline publication",
    description:
      "Declines publication with a comment. The dataset stays archived, and its owner can request publication again. For curators.",
    body: ReasonedBody,
    example: { comment: "The data are outside of the scope of this repository." },
    read: (_context, _request, { comment: text }) => {
      requireText(text, "/comment");
      return { action: "decline", input: { comment: text } };
    },
  }),
  define({
    action: "approve",
    operationId: "approvePublication",
    summary: "Approve publication",
    description:
      "Approves the present metadata and files for publication: exactly the state that `If-Match` names. For curators, who cannot approve their own datasets and edits unless the operator allows it.",
    body: SimpleBody,
    example: { comment: "Thank you for the careful description." },
    read: (_context, _request, { comment: text = "" }) => ({ action: "approve", input: { comment: text } }),
  }),
  define({
    action: "take-back",
    operationId: "takeBackPublication",
    summary: "Take a request for publication back",
    description:
      "Ends a review, takes an approval back, or ends a registration, so that the dataset is private again. If a DOI had become public meanwhile, DataCite hides it, and it leads to a notice. For the owner; curators can take approvals and registrations back.",
    body: SimpleBody,
    example: { comment: "A table is missing." },
    read: (_context, _request, { comment: text = "" }) => ({ action: "take-back", input: { comment: text } }),
  }),
  define({
    action: "reserve-doi",
    operationId: "reserveDoi",
    summary: "Reserve a DOI",
    description:
      "Reserves a DOI for a version that is not published, for its owner, for example to cite it in a manuscript. DataCite keeps it as a draft, and it resolves after publication. A version that has a DOI keeps it.",
    body: SimpleBody,
    example: {},
    read: (_context, _request, sent) => ({ action: "reserve-doi", input: { comment: sent.comment ?? "" } }),
  }),
  define({
    action: "publish",
    operationId: "publish",
    summary: "Publish an approved version",
    description:
      "Starts publication of an approved version: the service registers the identifier and then publishes the version. While a registration is delayed, the request makes the service try again at once.",
    body: SimpleBody,
    example: {},
    read: (_context, _request, { comment: text = "" }) => ({ action: "publish", input: { comment: text } }),
  }),
  define({
    action: "change-access",
    operationId: "changePublicationAccess",
    summary: "Change the access to files",
    description:
      "Changes who may read the files of a version that is published or being registered: ends or extends an embargo, restricts or opens the access. For owner and curators.",
    body: AccessBody,
    example: { access: "open", reason: "The article was published." },
    read: (_context, _request, sent) => ({ action: "change-access", input: accessWish(sent, true) }),
  }),
  define({
    action: "withdraw",
    operationId: "withdrawPublication",
    summary: "Withdraw a version",
    description:
      "Withdraws the publication of a version that is published or being registered, so that it is no longer public. Its identifier then leads to a page with title, authors, dates and reason. The archive keeps the files for the owner and curators. For curators; during a registration also for the owner. To delete content from the archive, an admin withdraws the dataset (`POST /dataset/{id}/withdraw`).",
    body: WithdrawBody,
    example: { reason: "The dataset contains personal data." },
    read: (_context, _request, { reason }) => {
      requireText(reason, "/reason");
      return { action: "withdraw", input: { reason } };
    },
  }),
];

/** The accepted text. @throws Problem `agreement_required` if it is not a text of this service */
function acceptedAgreement(context: HttpContext, request: FastifyRequest, sent: true | string): Agreement {
  const { agreements } = context.publication;
  const found = sent === true ? agreements[0] : agreements.find(({ sha256 }) => sha256 === sent);
  if (found === undefined) {
    throw new Problem("agreement_required", "The accepted text is not the present deposit agreement of this service");
  }
  const { sha256, language } = found;
  return { sha256, language, by: callerOf(request).owner, at: new Date().toISOString() };
}
