import { type TSchema, Type } from "typebox";
import { EVENT_TYPES, type EventType as Known } from "../../domain/events.ts";
import { count, Fault, nullable, ProblemCode, time } from "./basics.ts";
import { Finding } from "./dataset.ts";
import { Drift, FileError } from "./submission.ts";

export const EventType = Type.Enum([...EVENT_TYPES], {
  title: "EventType",
  description: "What an entry of a submission’s log is about.",
});

export const VersionData = Type.Object(
  {
    dataset: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: Type.Integer({ minimum: 1, description: "Which of its versions." }),
  },
  { title: "VersionData", description: "Which version of which dataset it is about." },
);

export const CompletedData = Type.Object(
  {
    ...VersionData.properties,
    sourceMayBeDeleted: Type.Optional(
      Type.Enum(["yes", "no"], { description: "What the receipt says. Not there in older logs." }),
    ),
    statement: Type.Optional(Type.String({ description: "The sentence that says why, and of what." })),
  },
  { title: "CompletedData", description: "What was archived, and whether the source may be deleted." },
);

export const StandstillData = Type.Object(
  { code: ProblemCode, fault: Fault },
  { title: "StandstillData", description: "Why a submission waits, or failed." },
);

export const WithdrawalData = Type.Object(
  {
    dataset: Type.String({ format: "uuid", description: "Id of the dataset." }),
    by: Type.String({ description: "The admin who withdrew it." }),
    reason: Type.String({ description: "Why, as they gave it." }),
  },
  { title: "WithdrawalData", description: "Who withdrew which dataset, and why." },
);

const CountData = Type.Object(
  { objects: count("How many objects."), bytes: count("Their bytes.") },
  { title: "CountData", description: "How much it is." },
);

const UnreadableData = Type.Object(
  {
    count: count("How many cannot be read."),
    objects: Type.Optional(Type.Array(FileError, { description: "Why, of the first of them." })),
  },
  { title: "UnreadableData", description: "What cannot be read." },
);

const ExclusionData = Type.Object(
  {
    keys: Type.Array(Type.String(), { description: "The first 20." }),
    count: count("How many were left out."),
    reason: Type.String({ description: "Why, as it was given." }),
  },
  { title: "ExclusionData", description: "What was left out by decision." },
);

const DriftData = Type.Object(
  { changes: Type.Array(Drift, { description: "The first 20." }) },
  { title: "DriftData", description: "What changed in the bucket meanwhile." },
);

const AuditData = Type.Object(
  { files: count("How many were read."), bytes: count("How many were read.") },
  { title: "AuditData", description: "How much was read again." },
);

const DamageData = Type.Object(
  {
    findings: Type.Array(Finding, { description: "The first 20." }),
    count: count("How many things are wrong."),
  },
  { title: "DamageData", description: "What is wrong with the archived bytes." },
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

/** An entry of a submission's log: what `data` holds follows from its type. */
export const EventView = Type.Union(
  [
    event("AcceptedEvent", ["accepted"], nullable(VersionData, "The version that is to be; null for a new dataset.")),
    event("CountedEvent", ["listed", "transferred"], CountData),
    event("UnreadableEvent", ["objects_unreadable"], UnreadableData),
    event("ExcludedEvent", ["excluded"], ExclusionData),
    event("DriftEvent", ["drift"], DriftData),
    event("CompletedEvent", ["completed"], CompletedData),
    event("StandstillEvent", ["waiting", "failed"], StandstillData),
    event("AuditPassedEvent", ["audit_passed"], AuditData),
    event("AuditFailedEvent", ["audit_failed"], DamageData),
    event("WithdrawnEvent", ["withdrawn"], WithdrawalData),
    event("PlainEvent", PLAIN, nullable(Type.Record(Type.String(), Type.Unknown()), "Null so far.")),
  ],
  { title: "Event", description: "An entry of a submission’s log; what `data` says to programs follows from `type`." },
);

function event<const Name extends Known, Data extends TSchema>(title: string, types: readonly Name[], data: Data) {
  return Type.Object(
    {
      id: Type.Integer({ minimum: 1, description: "Number in the submission’s log." }),
      at: time("When it happened."),
      attempt: Type.Integer({ minimum: 1, description: "Which attempt of the submission." }),
      type: Type.Enum([...types]),
      message: Type.String({ description: "For people." }),
      data,
    },
    { title },
  );
}
