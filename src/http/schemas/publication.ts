import { Type } from "typebox";
import { ACCESS_KINDS } from "../../../packages/rules/src/index.ts";
import { CHECK_CODES } from "../../publication/rules/checks.ts";
import { FAIR_CODES } from "../../publication/rules/fair.ts";
import { PUBLICATION_ACTIONS, PUBLICATION_STATES } from "../../publication/rules/states.ts";
import {
  closedObject,
  count,
  Fault,
  flag,
  IdentifierType,
  list,
  nullable,
  object,
  ProblemCode,
  text,
  textOrNull,
  time,
  timeOrNull,
  uuid,
} from "./basics.ts";
import { CollectionName } from "./collection.ts";

/** YYYY-MM-DD. */
const DAY = "^\\d{4}-\\d{2}-\\d{2}$";

export const PublicationStateName = Type.Enum([...PUBLICATION_STATES], {
  title: "PublicationState",
  description:
    "`private` (never requested, or taken back), `in_review`, `changes_requested`, `declined`, `approved` (the owner chooses the moment of publication), `registering` (the service registers the identifier), `published` or `withdrawn`.",
});

export const PublicationActionName = Type.Enum([...PUBLICATION_ACTIONS], {
  title: "PublicationAction",
  description: "An action, as in `POST /dataset/{id}/publication/{action}`.",
});

export const AccessKindName = Type.Enum([...ACCESS_KINDS], {
  title: "DatasetAccess",
  description:
    "Who may read the files after publication: `open` (all), `embargoed` (all from `embargoDate` on, UTC) or `restricted` (owner, curators and people who were granted access). Metadata are always public.",
});

export const EmbargoDate = Type.String({
  pattern: DAY,
  description:
    "First day on which the files are open (YYYY-MM-DD, UTC). Mandatory if and only if `access` is `embargoed`.",
});

const ASSIGNEE_IS_CURATOR = nullable(
  Type.Boolean(),
  "Whether `assignee` is a curator or admin now. If not, the dataset is in the queue `new`. Null without a curator.",
);

const Field = closedObject("FieldPlace", "A metadata field.", {
  field: Type.String({
    maxLength: 500,
    description: "JSON Pointer (RFC 6901) to a metadata field.",
    examples: ["/authors/0"],
  }),
});

const File = closedObject("FilePlace", "A file or folder.", {
  file: Type.String({
    maxLength: 4_096,
    description: "Path from the list of files.",
    examples: ["data/plot-01.csv"],
  }),
});

export const PlaceView = Type.Union([Field, File], {
  title: "Place",
  description: "What a comment or a finding is about: a metadata field or a file.",
});

const FairPointView = object("FairPoint", "A FAIR recommendation that the dataset does not fulfil.", {
  code: Type.Enum([...FAIR_CODES], { description: "Stable code. Later versions can add codes." }),
  metric: textOrNull("F-UJI metric (version 0.8) that tests the recommendation; null if none does."),
  message: text("Human-readable finding."),
  nextStep: text("What to do about it."),
  place: Type.Optional(PlaceView),
});

export const CheckView = object("PublicationCheck", "A finding of the automatic checks before publication.", {
  code: Type.Enum([...CHECK_CODES], { description: "Stable code. Later versions can add codes." }),
  severity: Type.Enum(["error", "warning", "hint"], {
    description: "`error` prevents publication, `warning` needs attention, `hint` suggests an improvement.",
  }),
  message: text("Human-readable finding."),
  nextStep: text("What to do about it."),
  place: Type.Optional(PlaceView),
  points: Type.Optional(
    list(FairPointView, "For `fair_incomplete`: the recommendations that the dataset does not fulfil."),
  ),
});

export const PublicationEntryView = object("PublicationEntry", "A decision or a comment.", {
  id: Type.Integer({ minimum: 1, description: "Number of the entry." }),
  at: time("Time of the entry."),
  actor: textOrNull("Who acted; null for the service, and for people without an account."),
  action: text(
    "A `PublicationAction`; `edit-metadata` (a change of the metadata during the review, with its note as the comment); `published`, `delayed`, `reminded`, `embargo-ending`, `embargo-ended`, `mail-undelivered` (the mail server does not accept mail for an address) and `restored` (from the archive, by a rebuild) by the service; `added-to-collection` and `removed-from-collection` by curators; or `access_requested`, `access_granted`, `access_refused` and `access_revoked`.",
  ),
  state: PublicationStateName,
  comment: text("Comment or reason; can be empty."),
  place: nullable(PlaceView, "What the comment is about; null for the whole dataset."),
  answers: nullable(
    Type.Integer({ minimum: 1 }),
    "Number of the comment that this one answers, or that was resolved; null if none.",
  ),
  revision: Type.Integer({ minimum: 1, description: "Metadata revision at that time." }),
  resolved: nullable(
    Type.Boolean(),
    "For a comment that answers no other one: whether it is resolved. For `resolve`: whether the comment `answers` was resolved (true) or reopened. Otherwise null.",
  ),
  curator: textOrNull("For `assign`: the curator; null if the assignment was removed."),
  access: nullable(AccessKindName, "For `request` and `change-access`: the access that was chosen."),
  embargoDate: nullable(Type.String({ pattern: DAY }), "First day on which the files are open, for an embargo."),
  collections: list(
    Type.String(),
    "Ids of collections: those for which the owner asked with `request`, or the one of `added-to-collection` and `removed-from-collection`. Otherwise empty.",
  ),
  party: nullable(
    Type.Enum(["owner", "curator", "reader"], { title: "MailedParty" }),
    "For `mail-undelivered`: whose address it is; `reader` is a person who asked for access.",
  ),
});

export const RegistrationProblemView = object(
  "PublicationProblem",
  "Why DataCite does not have the present state yet, and who can act.",
  {
    code: ProblemCode,
    fault: Fault,
    message: text("What happened."),
    action: text("What the responsible party can do."),
    at: time("Time of the last attempt."),
    since: Type.Optional(
      time(
        "Time of the first failed attempt since the last one that succeeded; missing if an earlier version stored the problem.",
      ),
    ),
  },
);

const CommentCount = object("CommentCount", "The comments that answer no other one.", {
  total: Type.Integer({ minimum: 0, description: "Number of comments." }),
  resolved: Type.Integer({ minimum: 0, description: "Number of those that are resolved." }),
});

export const PublicationView = object("Publication", "The publication of a dataset version.", {
  dataset: uuid("Id of the dataset."),
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
  revision: Type.Integer({ minimum: 1, description: "Number of the newest metadata revision." }),
  approvedRevision: nullable(Type.Integer({ minimum: 1 }), "Metadata revision that was requested or approved."),
  state: PublicationStateName,
  since: time("Since when it has this state."),
  waitingFor: nullable(
    Type.Enum(["owner", "curator", "service", "operator"]),
    "Who must act next; null if no action is required.",
  ),
  assignee: textOrNull("Curator who reviews the dataset."),
  assigneeIsCurator: ASSIGNEE_IS_CURATOR,
  actions: list(PublicationActionName, "Actions that the caller can take now."),
  identifier: textOrNull("Identifier under which the version is published: a DOI as URL, or a URN."),
  identifierType: nullable(IdentifierType),
  doi: textOrNull("DOI of the version, if one was chosen."),
  doiState: nullable(
    Type.Enum(["reserving", "reserved", "registering", "registered", "hidden"]),
    "Whether the DOI is being reserved (`doi` is null until DataCite has confirmed it), reserved, being registered, registered, or hidden: it was public when the publication was taken back, and leads to a notice until the version is published. Only a registered DOI can be cited.",
  ),
  conceptDoi: textOrNull(
    "Registered DOI that stands for all versions of the dataset and leads to the newest one; null if there is none.",
  ),
  access: Type.Enum([...ACCESS_KINDS], {
    description:
      "Who may read the files. In the states `private`, `changes_requested` and `declined`: the choice that the next request proposes, which is the embargo of the metadata if it is not over.",
  }),
  embargoDate: nullable(Type.String({ pattern: DAY }), "First day on which embargoed files are open, in UTC."),
  accessReason: text("Reason for the access; can be empty."),
  filesOpen: flag("Whether the public can read the files now."),
  filesReadable: flag(
    "Whether the caller can read the files now: the public can, or the caller is owner or curator, or was granted access.",
  ),
  publishOnApproval: flag("Whether approval starts publication."),
  showSource: flag("Whether the public sees where the data came from, in the packages and files of the version."),
  collections: list(
    Type.String(),
    "Ids of the collections for which the owner asked with the last request. Empty for readers who are neither owner nor curator.",
  ),
  memberOf: list(
    object("CollectionMembership", "A collection to which the dataset belongs.", {
      id: text("Id of the collection."),
      name: CollectionName,
      canRemove: flag("Whether the caller can remove the dataset from the collection."),
    }),
    "Collections to which the dataset belongs. Empty for readers who are neither owner nor curator.",
  ),
  requestedBy: textOrNull("Who requested publication."),
  agreement: nullable(
    object("AcceptedAgreement", "The accepted deposit agreement.", {
      sha256: text("SHA-256 of the accepted text."),
      language: text("Language of the text (BCP 47)."),
      by: text("Who accepted it."),
      at: time("Time of acceptance."),
    }),
    "The deposit agreement that was accepted.",
  ),
  notified: flag(
    "Whether the owner receives e-mail about the publication: an address is known, and the mail server accepts it.",
  ),
  approvedBy: textOrNull("Who approved publication."),
  reviewedSha512: textOrNull("SHA-512 of the inventory that was approved."),
  publishedAt: timeOrNull("Time of publication."),
  withdrawnAt: timeOrNull("Time of the withdrawal."),
  withdrawnReason: textOrNull("Reason for the withdrawal."),
  attempts: Type.Integer({ minimum: 0, description: "Failed attempts to register the identifier." }),
  nextAttemptAt: timeOrNull(
    "Time of the next attempt, while the identifier is being registered or a change for DataCite is delayed.",
  ),
  problem: nullable(
    RegistrationProblemView,
    "Why the last attempt of the registration or the reservation of the DOI, or of a later change at DataCite, failed.",
  ),
  isDelayed: flag(
    "Whether people must know of the problem: somebody must act, or the service has tried again for 15 minutes. Until then, the registration is in progress.",
  ),
  checks: list(CheckView, "Findings of the automatic checks."),
  comments: CommentCount,
  history: list(
    PublicationEntryView,
    "Decisions and comments, oldest first: the newest 200, or those before the entry `before`.",
  ),
  historyBefore: nullable(
    Type.Integer({ minimum: 1 }),
    "Value of `before` that returns the preceding entries of the history; null if there are none.",
  ),
});

export const PublicationListEntry = object("PublicationListEntry", "A publication in a list.", {
  dataset: uuid("Id of the dataset."),
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
  title: text("Title of the version."),
  owner: text("Owner of the dataset."),
  state: PublicationStateName,
  since: time("Since when it has this state."),
  isOverdue: flag(
    "Whether the owner or a curator must act, and has not for the time after which the service reminds them.",
  ),
  waitingFor: nullable(Type.Enum(["owner", "curator", "service", "operator"]), "Who must act next."),
  assignee: textOrNull("Curator who reviews the dataset."),
  assigneeIsCurator: ASSIGNEE_IS_CURATOR,
  identifier: textOrNull("Identifier under which the version is published."),
  identifierType: nullable(IdentifierType),
  access: AccessKindName,
  embargoDate: nullable(EmbargoDate),
  checks: nullable(
    object("FoundByChecks", "The number of findings of the automatic checks.", {
      errors: count("Errors, which prevent publication."),
      warnings: count("Warnings."),
    }),
    "What the automatic checks found when they last ran: with the request, with the approval, or when the owner or a curator last viewed the publication. Null if they have not run, and after publication.",
  ),
  comments: CommentCount,
  lastCommentAt: timeOrNull("Time of the last comment."),
  accessRequests: count("Requests for access to closed files that nobody has answered."),
  problem: nullable(
    RegistrationProblemView,
    "Why the last attempt of the registration, or of a later change at DataCite, failed.",
  ),
  isDelayed: flag(
    "Whether people must know of the problem: somebody must act, or the service has tried again for 15 minutes. Until then, the registration is in progress.",
  ),
});

export const DepositAgreementView = object(
  "DepositAgreement",
  "The text that owners accept when they request publication.",
  {
    language: text("Language of the text (BCP 47)."),
    text: text("The agreement as Markdown."),
    sha256: text("SHA-256 of the text. Send it as `agreement` to accept the text."),
  },
);
