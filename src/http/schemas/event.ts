import { type TSchema, Type } from "typebox";
import { EVENT_TYPES, type EventType as Known } from "../../domain/events.ts";
import { count, Fault, IdentifierType, nullable, ProblemCode, time } from "./basics.ts";
import { Finding } from "./dataset.ts";
import { PlaceView, PublicationStateName } from "./publication.ts";
import { Drift, FileError } from "./submission.ts";

export const EventType = Type.Enum([...EVENT_TYPES], {
  title: "EventType",
  description: "Type of an event.",
});

export const VersionData = Type.Object(
  {
    dataset: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
  },
  { title: "VersionData", description: "The version of a dataset that the event is about." },
);

export const CompletedData = Type.Object(
  {
    ...VersionData.properties,
    sourceMayBeDeleted: Type.Optional(
      Type.Enum(["yes", "no"], {
        description: "Whether the source can be deleted, as in the receipt. Absent from events of early releases.",
      }),
    ),
    statement: Type.Optional(Type.String({ description: "Explanation of `sourceMayBeDeleted`, with its scope." })),
  },
  { title: "CompletedData", description: "The archived version, and whether the source can be deleted." },
);

export const StandstillData = Type.Object(
  { code: ProblemCode, fault: Fault },
  { title: "StandstillData", description: "The problem because of which a submission waits or failed." },
);

export const WithdrawalData = Type.Object(
  {
    dataset: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Number of the version. Absent from events of early releases.",
      }),
    ),
    by: Type.String({ description: "Admin who withdrew the dataset." }),
    reason: Type.String({ description: "Reason that the admin stated." }),
  },
  { title: "WithdrawalData", description: "The withdrawal of a dataset." },
);

const CountData = Type.Object(
  { objects: count("Number of objects."), bytes: count("Total size of the objects in bytes.") },
  { title: "CountData", description: "Number and total size of objects." },
);

const UnreadableData = Type.Object(
  {
    count: count("Number of unreadable objects."),
    objects: Type.Optional(Type.Array(FileError, { description: "Errors of the first unreadable objects." })),
  },
  { title: "UnreadableData", description: "Objects that cannot be read." },
);

const ExclusionData = Type.Object(
  {
    keys: Type.Array(Type.String(), { description: "Keys of the excluded objects; at most the first 20." }),
    count: count("Number of excluded objects."),
    reason: Type.String({ description: "Reason for the exclusion, as stated in the request." }),
  },
  { title: "ExclusionData", description: "Objects that were excluded from the dataset." },
);

const DriftData = Type.Object(
  { changes: Type.Array(Drift, { description: "Changes; at most the first 20." }) },
  { title: "DriftData", description: "Changes in the bucket after it was read." },
);

export const MetadataChangedData = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: "Number of the version that the metadata describe." }),
    revision: Type.Integer({ minimum: 2, description: "Number of the metadata revision." }),
    by: Type.String({
      description: "Who changed the metadata; empty if the service has written them again after publication.",
    }),
    note: Type.String({ description: "Reason for the change; empty if none was given." }),
  },
  { title: "MetadataChangedData", description: "A change of the metadata." },
);

const AuditData = Type.Object(
  { files: count("Number of files that were read."), bytes: count("Number of bytes that were read.") },
  { title: "AuditData", description: "Extent of an audit." },
);

const DamageData = Type.Object(
  {
    findings: Type.Array(Finding, { description: "Defects; at most the first 20." }),
    count: count("Number of defects."),
  },
  { title: "DamageData", description: "Defects that an audit found." },
);

export const PublicationData = Type.Object(
  {
    ...VersionData.properties,
    revision: Type.Integer({ minimum: 1, description: "Number of the metadata revision." }),
    state: PublicationStateName,
    by: Type.String({ description: "Who acted." }),
    comment: Type.String({ description: "Comment or reason; can be empty." }),
    party: Type.Optional(Type.Enum(["owner", "curator"], { description: "Side on which the person acted." })),
    place: Type.Optional(PlaceView),
    curator: Type.Optional(nullable(Type.String(), "New curator, for an assignment; null if it was removed.")),
  },
  { title: "PublicationData", description: "An action about the publication of a version." },
);

export const PublishedData = Type.Object(
  {
    ...VersionData.properties,
    revision: Type.Integer({ minimum: 1, description: "Number of the metadata revision." }),
    state: PublicationStateName,
    identifier: Type.String({ description: "Identifier of the version: a DOI as URL, or a URN." }),
    identifierType: Type.Optional(IdentifierType),
  },
  { title: "PublishedData", description: "The publication of a version." },
);

export const ReservedDoiData = Type.Object(
  {
    ...VersionData.properties,
    doi: Type.String({ description: "The DOI. It resolves after publication.", examples: ["10.5072/k7m2p9xq"] }),
  },
  { title: "ReservedDoiData", description: "A DOI that was reserved for a version." },
);

export const DelayData = Type.Object(
  {
    ...VersionData.properties,
    code: ProblemCode,
    fault: Fault,
    action: Type.String({ description: "What the responsible party can do." }),
  },
  { title: "DelayData", description: "The problem that delays the registration of an identifier." },
);

export const AccessData = Type.Object(
  {
    ...VersionData.properties,
    by: nullable(Type.String(), "Account that acted; null for a person without an account."),
    grant: Type.Optional(Type.String({ format: "uuid", description: "Id of the grant." })),
    request: Type.Optional(Type.String({ format: "uuid", description: "Id of the request for access." })),
  },
  {
    title: "AccessData",
    description:
      "A grant of access to closed files, or a request for it. Names and addresses of people are not part of it.",
  },
);

export const ReminderData = Type.Object(
  {
    ...VersionData.properties,
    state: PublicationStateName,
    waitingFor: Type.Enum(["owner", "curator"], { description: "Who was reminded." }),
    since: time("Since when the publication waits."),
  },
  { title: "ReminderData", description: "A reminder to the party that must act." },
);

export const EmbargoData = Type.Object(
  {
    ...VersionData.properties,
    embargoDate: Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
      description: "First day on which the files are open.",
    }),
  },
  { title: "EmbargoData", description: "The end of an embargo." },
);

const ReviewerLinkData = Type.Object(
  {
    ...VersionData.properties,
    link: Type.String({ format: "uuid", description: "Id of the reviewer link." }),
    label: Type.String({ description: "Label of the link; can be empty." }),
    anonymous: Type.Boolean({ description: "Whether its view is anonymous." }),
    by: Type.String({ description: "Who created or revoked it." }),
  },
  { title: "ReviewerLinkData", description: "A reviewer link that was created or revoked." },
);

const PLAIN = [
  "listing",
  "transferring",
  "verifying",
  "packaging",
  "publishing",
  "credentials_replaced",
  "resumed",
  "retried",
  "cancelled",
  "removed",
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
      message: Type.String({ description: "Human-readable description." }),
      data,
    },
    { title },
  );
}
