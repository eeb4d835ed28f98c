import { Type } from "typebox";
import { S3Access } from "../submission/access.ts";
import { EVENT_TYPES } from "../submission/events.ts";
import { type Code, catalogue } from "../submission/problems.ts";
import { STATUSES } from "../submission/states.ts";
import { DATASET, SUBMISSION } from "./openapi/examples.ts";

export const nullable = <T extends import("typebox").TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
export const time = (description: string) => Type.String({ format: "date-time", description });
export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ProblemCode = Type.Enum(Object.keys(catalogue) as Code[], {
  title: "ProblemCode",
  description:
    "Stable code; docs/errors.md says of each whose turn it is and what to do. There can be more in a later version.",
});

const Fault = Type.Enum(["submitter", "source", "service", "operator"], {
  title: "Fault",
  description: "Whose turn it is: the submitter’s, that of whoever runs the source, the service’s own, the operator’s.",
});

export const Remark = Type.Object(
  {
    pointer: Type.String({ description: "JSON pointer (RFC 6901) into the request." }),
    code: ProblemCode,
    detail: Type.String({ description: "For people." }),
  },
  { title: "Remark", description: "A fault or a warning about one place of a request." },
);

export const Standstill = Type.Object(
  {
    code: ProblemCode,
    fault: Fault,
    message: Type.String({ description: "What is wrong, for people." }),
    action: Type.String({ description: "What to do about it." }),
    retryable: Type.Boolean({ description: "Whether the same may succeed later without anybody changing anything." }),
    since: time("Since when."),
    until: nullable(Type.String({ format: "date-time" }), "When waiting ends in failure; null where it does not."),
  },
  { title: "Standstill", description: "Why a submission waits, or failed." },
);

export const Status = Type.Enum([...STATUSES], {
  title: "Status",
  description: "`completed` and `cancelled` are for good; a `failed` submission can be retried.",
});

export const Progress = Type.Object(
  {
    listingComplete: Type.Boolean({ description: "Whether all that is wanted is known; until then the counts grow." }),
    objectsListed: count("Objects that are wanted."),
    bytesListed: count("Their bytes."),
    objectsStored: count("Objects that are stored and verified."),
    bytesStored: count("Their bytes."),
    objectsFailed: count("Objects that cannot be read and that nobody has decided on."),
    objectsExcluded: count("Objects that were left out by decision."),
    bytesPerSecond: nullable(Type.Number(), "Null while nothing moves."),
    secondsLeft: nullable(Type.Number(), "A guess; null while there is none."),
  },
  { title: "Progress", description: "How far a submission is. Within an attempt it never goes back." },
);

const Drift = Type.Object(
  { key: Type.String(), change: Type.Enum(["changed", "vanished", "appeared"]) },
  { title: "Drift", description: "How the bucket differs from what was archived." },
);

export const SubmissionView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    status: Status,
    attempt: Type.Integer({ minimum: 1, description: "A retry begins the next one." }),
    title: Type.String({ description: "Of the metadata, without spaces at its ends." }),
    owner: Type.String({ description: "For whom it was submitted." }),
    createdAt: time("When it was accepted."),
    updatedAt: time("When something last happened."),
    finishedAt: nullable(Type.String({ format: "date-time" }), "When it ended; null while it goes on."),
    metadata: Type.Unknown({ description: "As sent." }),
    source: Type.Object(
      {
        endpoint: Type.String(),
        region: nullable(Type.String(), "Null where the server has none."),
        bucket: Type.String(),
        selection: Type.Unknown({ description: "As sent; empty for all." }),
      },
      { title: "Source", description: "Where it came from; never a key." },
    ),
    progress: Progress,
    waiting: nullable(Standstill, "Why it waits; null unless it does."),
    failure: nullable(Standstill, "Why it failed; null unless it did."),
    drift: Type.Array(Drift, { description: "What changed in the bucket after it was read." }),
    dataset: nullable(
      Type.Object(
        { id: Type.String({ format: "uuid" }), version: Type.Integer({ minimum: 1 }) },
        { title: "DatasetVersion" },
      ),
      "What it became; null until it is completed.",
    ),
    warnings: Type.Array(Remark, { description: "What was accepted and could be better." }),
    links: Type.Record(Type.String(), Type.String(), {
      description: "Paths: `self`, `files`, `events`, and once completed `receipt` and `dataset`.",
    }),
    withdrawn: nullable(
      Type.Object(
        { at: Type.String({ format: "date-time" }), by: Type.String(), reason: Type.String() },
        { title: "Withdrawal" },
      ),
      "Set when the dataset was withdrawn: its bytes are gone, and the source may not be deleted.",
    ),
  },
  { title: "Submission" },
);

const VerifiedBy = Type.Enum(["checksum", "md5", "md5-parts", "length"], { title: "VerifiedBy" });

export const FileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    key: Type.String({ description: "In the bucket." }),
    bytes: count("Its size."),
    sha512: nullable(Type.String(), "Of the bytes as they are stored, in lower-case hex; null until then."),
    state: Type.Enum(["listed", "stored", "failed", "excluded"], { title: "FileState" }),
    verifiedBy: nullable(VerifiedBy, "The strongest check against what the source states that held."),
    verifiedWith: nullable(Type.String(), "Its algorithm, such as `crc64nvme`."),
    attempts: count("How often it was asked for."),
    error: nullable(
      Type.Object({ code: ProblemCode, message: Type.String() }, { title: "FileError" }),
      "Why it cannot be read.",
    ),
  },
  { title: "File", description: "An object of the bucket, and what became of it." },
);

export const EventType = Type.Enum([...EVENT_TYPES], { title: "EventType" });

export const EventView = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: "Number in the submission’s log." }),
    at: time("When it happened."),
    attempt: Type.Integer({ minimum: 1 }),
    type: EventType,
    message: Type.String({ description: "For people." }),
    data: Type.Unknown({ description: "For programs: what the type has to say; null for nothing." }),
  },
  { title: "Event", description: "An entry of a submission’s log." },
);

export const DatasetFileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    bytes: count("Its size."),
    sha512: Type.String({ description: "In lower-case hex." }),
    contentType: nullable(Type.String(), "As the source named it."),
    lastModified: nullable(Type.String(), "As the source named it, ISO 8601."),
    verifiedBy: nullable(VerifiedBy, "How it was checked against the source; null for what Accession made."),
    verifiedWith: nullable(Type.String(), "Its algorithm."),
  },
  { title: "DatasetFile", description: "A file of an archived dataset." },
);

export const VersionView = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    submission: Type.String({ format: "uuid", description: "Which submission it came from." }),
    publishedAt: Type.String({ format: "date-time" }),
    objects: count("How many it holds."),
    bytes: count("How many it holds."),
  },
  { title: "Version" },
);

const Finding = Type.Object(
  {
    code: Type.String({ description: "As “accession verify” names it." }),
    path: Type.String({ description: "In the dataset’s folder; empty for the whole of it." }),
    detail: Type.String({ description: "For people." }),
  },
  { title: "Finding" },
);

export const AuditView = Type.Object(
  {
    at: time("When the archived bytes were last read again."),
    ok: Type.Boolean({ description: "Whether everything was as it should be." }),
    files: count("How many were read."),
    bytes: count("How many were read."),
    findings: Type.Array(Finding, { description: "The first 100 things that were wrong." }),
  },
  { title: "Audit", description: "A look at whether an archived dataset is as it should be." },
);

export const TombstoneView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    identifier: Type.String({ description: "`urn:uuid:` and the id." }),
    title: Type.String(),
    createdAt: time("When it was archived."),
    withdrawnAt: time("When it was withdrawn."),
    withdrawnBy: Type.String(),
    reason: Type.String(),
    removedAt: nullable(Type.String({ format: "date-time" }), "When its bytes were gone; null until then."),
    versions: Type.Array(
      Type.Object(
        {
          version: Type.Integer({ minimum: 1 }),
          submission: Type.String({ format: "uuid" }),
          publishedAt: Type.String({ format: "date-time" }),
          objects: count("How many it held."),
          bytes: count("How many it held."),
          receipt: Type.String({ description: "Where the receipt is." }),
        },
        { title: "WithdrawnVersion" },
      ),
    ),
  },
  { title: "Tombstone", description: "What stays of a dataset that was withdrawn." },
);

export const ReportView = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the bucket can be taken in." }),
    message: Type.String({ description: "`Connection successful`, or the cause and what to do." }),
    steps: Type.Array(
      Type.Object(
        {
          name: Type.Enum(["address", "connect", "tls", "clock", "signature", "bucket", "list", "read"]),
          status: Type.Enum(["passed", "failed", "skipped", "warning"]),
          detail: Type.String({ description: "For people." }),
          hint: Type.String({ description: "What to do; empty when there is nothing to do." }),
          milliseconds: count("How long it took."),
        },
        { title: "ReportStep" },
      ),
    ),
    policy: Type.Unknown({ description: "The least-privilege policy to paste; empty when fields are invalid." }),
  },
  { title: "Report", description: "What a check of a bucket found, step by step." },
);

export const ProblemAnswer = Type.Object(
  {
    type: Type.String({ description: "`urn:accession:problem:` and the code." }),
    title: Type.String({ description: "The same for every problem of this code." }),
    status: Type.Integer({ description: "As the answer’s." }),
    detail: Type.String({ description: "What is wrong in this case. It never holds a key or a secret." }),
    code: ProblemCode,
    fault: Fault,
    action: Type.String({ description: "What to do about it." }),
    instance: Type.Optional(
      Type.String({
        description:
          "URN that ends with the request’s id, as in the log and in `X-Request-Id`; absent when it was not even one.",
      }),
    ),
    errors: Type.Optional(Type.Array(Remark, { description: "Every fault of the request." })),
    warnings: Type.Optional(Type.Array(Remark, { description: "What would be warned about, faults aside." })),
    report: Type.Optional(ReportView),
    tombstone: Type.Optional(TombstoneView),
    quota: Type.Optional(
      Type.Object(
        {
          of: Type.Enum(["submissions", "objects", "bytes"]),
          used: count("What counts already."),
          wanted: count("What this would add."),
          allowed: count("The limit."),
        },
        { title: "QuotaExceeded", description: "Which quota it is, and by how much." },
      ),
    ),
    region: Type.Optional(Type.String({ description: "Where the source says the bucket lies." })),
    s3Code: Type.Optional(Type.String({ description: "What the source calls it, such as `AccessDenied`." })),
  },
  { title: "Problem", description: "An error (RFC 9457)." },
);

export const TokenView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    name: Type.String({ description: "The owner for whom its holder acts." }),
    role: Type.Enum(["submitter", "curator", "admin"], { title: "Role" }),
    createdAt: time("When it was created."),
    expiresAt: nullable(Type.String({ format: "date-time" }), "When it stops being valid; null for never."),
    lastUsedAt: nullable(Type.String({ format: "date-time" }), "When it was last used, to the hour."),
  },
  { title: "Token", description: "What is known of a token; never the token itself." },
);

/** New keys for a bucket that is known; endpoint and bucket may be left out. */
export const NewCredentials = Type.Object(
  {
    s3Access: Type.Optional(
      Type.Partial(S3Access, { title: "NewS3Access", description: "New keys; another endpoint or bucket is refused." }),
    ),
  },
  { title: "NewCredentials", additionalProperties: false },
);

export const IdParams = Type.Object({
  id: Type.String({ description: "Id of the submission.", examples: [SUBMISSION] }),
});

export const DatasetParams = Type.Object({
  id: Type.String({ description: "Id of the dataset, also as `urn:uuid:…`.", examples: [DATASET] }),
});
