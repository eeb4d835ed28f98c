import { type TSchema, Type } from "typebox";
import { EVENT_TYPES, type EventType as Known } from "../../domain/submission/events.ts";
import {
  count,
  Fault,
  flag,
  IdentifierType,
  list,
  nullable,
  object,
  optionalInteger,
  ProblemCode,
  text,
  textOrNull,
  time,
  uuid,
} from "./basics.ts";
import { Finding } from "./dataset.ts";
import { PlaceView, PublicationStateName } from "./publication.ts";
import { Drift, FileError } from "./submission.ts";

export const EventType = Type.Enum([...EVENT_TYPES], {
  title: "EventType",
  description: "Type of an event.",
});

export const VersionData = object("VersionData", "The version of a dataset that the event is about.", {
  dataset: uuid("Id of the dataset."),
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
});

export const CompletedData = object("CompletedData", "The archived version, and whether the source can be deleted.", {
  ...VersionData.properties,
  sourceMayBeDeleted: Type.Optional(
    Type.Enum(["yes", "no"], {
      description: "Whether the source can be deleted, as in the receipt. Absent from events of early releases.",
    }),
  ),
  statement: Type.Optional(text("Explanation of `sourceMayBeDeleted`, with its scope.")),
});

export const StandstillData = object("StandstillData", "The problem because of which a submission waits or failed.", {
  code: ProblemCode,
  fault: Fault,
});

export const WithdrawalData = object("WithdrawalData", "The withdrawal of a dataset.", {
  dataset: uuid("Id of the dataset."),
  version: optionalInteger({
    minimum: 1,
    description: "Number of the version. Absent from events of early releases.",
  }),
  by: text("Admin who withdrew the dataset."),
  reason: text("Reason that the admin stated."),
});

const CountData = object("CountData", "Number and total size of objects.", {
  objects: count("Number of objects."),
  bytes: count("Total size of the objects in bytes."),
});

const UnreadableData = object("UnreadableData", "Objects that cannot be read.", {
  count: count("Number of unreadable objects."),
  objects: Type.Optional(list(FileError, "Errors of the first unreadable objects.")),
});

const ExclusionData = object("ExclusionData", "Objects that were excluded from the dataset.", {
  keys: list(Type.String(), "Keys of the excluded objects; at most the first 20."),
  count: count("Number of excluded objects."),
  reason: text("Reason for the exclusion, as stated in the request."),
});

const DriftData = object("DriftData", "Changes in the bucket after it was read.", {
  changes: list(Drift, "Changes; at most the first 20."),
});

export const MetadataChangedData = object("MetadataChangedData", "A change of the metadata.", {
  version: Type.Integer({ minimum: 1, description: "Number of the version that the metadata describe." }),
  revision: Type.Integer({ minimum: 2, description: "Number of the metadata revision." }),
  by: text("Who changed the metadata; empty if the service has written them again after publication."),
  note: text("Reason for the change; empty if none was given."),
  dataset: Type.Optional(uuid("During a review: id of the dataset.")),
  state: Type.Optional(PublicationStateName),
  party: Type.Optional(
    Type.Enum(["owner", "curator"], { description: "During a review: side on which the metadata were changed." }),
  ),
});

const AuditData = object("AuditData", "Extent of an audit.", {
  files: count("Number of files that were read."),
  bytes: count("Number of bytes that were read."),
});

const DamageData = object("DamageData", "Defects that an audit found.", {
  findings: list(Finding, "Defects; at most the first 20."),
  count: count("Number of defects."),
});

export const PublicationData = object("PublicationData", "An action about the publication of a version.", {
  ...VersionData.properties,
  revision: Type.Integer({ minimum: 1, description: "Number of the metadata revision." }),
  state: PublicationStateName,
  by: text("Who acted."),
  comment: text("Comment or reason; can be empty."),
  party: Type.Optional(Type.Enum(["owner", "curator"], { description: "Side on which the person acted." })),
  place: Type.Optional(PlaceView),
  entry: Type.Optional(Type.Integer({ minimum: 1, description: "For `comment_resolved`: number of the comment." })),
  resolved: Type.Optional(flag("For `comment_resolved`: whether the comment was resolved, or reopened.")),
  curator: Type.Optional(textOrNull("New curator, for an assignment; null if it was removed.")),
  former: Type.Optional(textOrNull("Curator before the assignment; null if there was none.")),
});

export const PublishedData = object("PublishedData", "The publication of a version.", {
  ...VersionData.properties,
  revision: Type.Integer({ minimum: 1, description: "Number of the metadata revision." }),
  state: PublicationStateName,
  identifier: text("Identifier of the version: a DOI as URL, or a URN."),
  identifierType: Type.Optional(IdentifierType),
});

export const ReservedDoiData = object("ReservedDoiData", "A DOI that was reserved for a version.", {
  ...VersionData.properties,
  doi: Type.String({ description: "The DOI. It resolves after publication.", examples: ["10.5072/k7m2p9xq"] }),
});

export const DelayData = object("DelayData", "The problem that delays the registration of an identifier.", {
  ...VersionData.properties,
  code: ProblemCode,
  fault: Fault,
  action: text("What the responsible party can do."),
});

export const ReservationDelayData = object(
  "ReservationDelayData",
  "The problem that delays the reservation of a DOI.",
  {
    ...DelayData.properties,
    doi: text("The DOI that was chosen."),
    since: time("Since when the reservation fails."),
  },
);

export const AccessReminderData = object("AccessReminderData", "A reminder of open requests for access.", {
  ...VersionData.properties,
  open: count("Number of open requests."),
  since: time("Time of the oldest one."),
});

export const AccessData = object(
  "AccessData",
  "A grant of access to closed files, or a request for it. Names and addresses of people are not part of it.",
  {
    ...VersionData.properties,
    by: textOrNull("Account that acted; null for a person without an account."),
    grant: Type.Optional(uuid("Id of the grant.")),
    request: Type.Optional(uuid("Id of the request for access.")),
  },
);

export const ReminderData = object("ReminderData", "A reminder to the party that must act.", {
  ...VersionData.properties,
  state: PublicationStateName,
  waitingFor: Type.Enum(["owner", "curator"], { description: "Who was reminded." }),
  since: time("Since when the publication waits."),
});

export const EmbargoData = object("EmbargoData", "The end of an embargo.", {
  ...VersionData.properties,
  embargoDate: Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2}$",
    description: "First day on which the files are open.",
  }),
});

const ReviewerLinkData = object("ReviewerLinkData", "A reviewer link that was created or revoked.", {
  ...VersionData.properties,
  link: uuid("Id of the reviewer link."),
  label: text("Label of the link; can be empty."),
  anonymous: flag("Whether its view is anonymous."),
  by: text("Who created or revoked it."),
});

const PLAIN = [
  ...["listing", "digests_read", "transferring", "verifying", "packaging", "publishing"],
  ...["credentials_replaced", "resumed", "retried", "cancelled", "removed"],
] as const;

/** An event of a submission. The type determines the content of `data`. */
export const EventView = Type.Union(
  [
    event(
      "AcceptedEvent",
      ["accepted"],
      nullable(VersionData, "The version that the submission creates; null for a new dataset."),
    ),
    event("CountedEvent", ["listed", "transferred"], CountData),
    event("UnreadableEvent", ["objects_unreadable"], UnreadableData),
    event("ExcludedEvent", ["excluded"], ExclusionData),
    event("DriftEvent", ["drift"], DriftData),
    event("CompletedEvent", ["completed"], CompletedData),
    event("StandstillEvent", ["waiting", "failed"], StandstillData),
    event("MetadataChangedEvent", ["metadata_changed"], MetadataChangedData),
    event(
      "PublicationEvent",
      [
        "publication_requested",
        "publication_assigned",
        "publication_commented",
        "comment_resolved",
        "changes_requested",
        "publication_declined",
        "publication_approved",
        "publication_taken_back",
        "doi_requested",
        "registering",
        "access_changed",
        "publication_withdrawn",
      ],
      PublicationData,
    ),
    event("AccessEvent", ["access_requested", "access_granted", "access_refused", "access_revoked"], AccessData),
    event("PublishedEvent", ["published"], PublishedData),
    event("DoiReservedEvent", ["doi_reserved"], ReservedDoiData),
    event("ReviewerLinkEvent", ["reviewer_link_created", "reviewer_link_revoked"], ReviewerLinkData),
    event("DelayedEvent", ["registration_delayed"], DelayData),
    event("ReservationDelayedEvent", ["reservation_delayed"], ReservationDelayData),
    event("AccessReminderEvent", ["access_reminder"], AccessReminderData),
    event("ReminderEvent", ["publication_reminder"], ReminderData),
    event("EmbargoEvent", ["embargo_ending", "embargo_ended"], EmbargoData),
    event("AuditPassedEvent", ["audit_passed"], AuditData),
    event("AuditFailedEvent", ["audit_failed"], DamageData),
    event("WithdrawnEvent", ["withdrawn"], WithdrawalData),
    event(
      "PlainEvent",
      PLAIN,
      nullable(Type.Record(Type.String(), Type.Unknown()), "Null. Later versions can add data."),
    ),
  ],
  { title: "Event", description: "An event in the log of a submission. `type` determines the content of `data`." },
);

function event<const Name extends Known, Data extends TSchema>(title: string, types: readonly Name[], data: Data) {
  return Type.Object(
    {
      id: Type.Integer({ minimum: 1, description: "Number of the event in the event history of the submission." }),
      at: time("Time of the event."),
      attempt: Type.Integer({ minimum: 1, description: "Number of the attempt." }),
      type: Type.Enum([...types]),
      message: text("Human-readable description."),
      data,
    },
    { title },
  );
}
