import { Type } from "typebox";
import { S3Access } from "../submission/access.ts";
import { STATUSES } from "../submission/states.ts";

export const nullable = <T extends import("typebox").TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const time = (description: string) => Type.String({ format: "date-time", description });

export const Remark = Type.Object(
  {
    pointer: Type.String({ description: "JSON pointer (RFC 6901) into the request." }),
    code: Type.String({ description: "Stable code; see docs/errors.md." }),
    detail: Type.String(),
  },
  { title: "Remark" },
);

export const ProblemAnswer = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: "Stable code; see docs/errors.md." }),
    fault: Type.String({ description: "Whose turn it is: submitter, source, service or operator." }),
    action: Type.String({ description: "What to do about it." }),
    instance: Type.String({ description: "URN that ends with the request’s id, as in the log and in `X-Request-Id`." }),
    errors: Type.Optional(Type.Array(Remark)),
  },
  { title: "Problem", description: "An error (RFC 9457).", additionalProperties: true },
);

export const Standstill = Type.Object(
  {
    code: Type.String(),
    fault: Type.String(),
    message: Type.String(),
    action: Type.String(),
    retryable: Type.Boolean(),
    since: time("Since when."),
    until: nullable(time("When waiting ends in failure.")),
  },
  { title: "Standstill" },
);

export const SubmissionView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    status: Type.Enum([...STATUSES]),
    attempt: Type.Integer({ description: "From 1 on; a retry begins the next one." }),
    title: Type.String(),
    owner: Type.String(),
    createdAt: time("When it was accepted."),
    updatedAt: time("When something last happened."),
    finishedAt: nullable(time("When it ended.")),
    metadata: Type.Unknown({ description: "As sent." }),
    source: Type.Object({
      endpoint: Type.String(),
      region: nullable(Type.String()),
      bucket: Type.String(),
      selection: Type.Unknown(),
    }),
    progress: Type.Object({
      listingComplete: Type.Boolean(),
      objectsListed: Type.Integer(),
      bytesListed: Type.Integer(),
      objectsStored: Type.Integer(),
      bytesStored: Type.Integer(),
      objectsFailed: Type.Integer(),
      objectsExcluded: Type.Integer(),
      bytesPerSecond: nullable(Type.Number()),
      secondsLeft: nullable(Type.Number()),
    }),
    waiting: nullable(Standstill),
    failure: nullable(Standstill),
    drift: Type.Array(Type.Object({ key: Type.String(), change: Type.String() })),
    dataset: nullable(Type.Object({ id: Type.String(), version: Type.Integer() })),
    withdrawn: nullable(
      Type.Object(
        { at: Type.String({ format: "date-time" }), by: Type.String(), reason: Type.String() },
        { description: "Set when the dataset was withdrawn: its bytes are gone, and the source may not be deleted." },
      ),
    ),
    warnings: Type.Array(Remark),
    links: Type.Record(Type.String(), Type.String()),
  },
  { title: "Submission" },
);

export const FileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    key: Type.String(),
    bytes: Type.Integer(),
    sha512: nullable(Type.String()),
    state: Type.Enum(["listed", "stored", "failed", "excluded"]),
    verifiedBy: nullable(Type.String({ description: "checksum, md5, md5-parts or length." })),
    verifiedWith: nullable(Type.String()),
    attempts: Type.Integer(),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { title: "File" },
);

export const DatasetFileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    bytes: Type.Integer(),
    sha512: Type.String(),
    contentType: nullable(Type.String({ description: "As the source named it." })),
    lastModified: nullable(Type.String({ description: "As the source named it, ISO 8601." })),
    verifiedBy: nullable(
      Type.String({ description: "checksum, md5, md5-parts or length; null for what Accession made." }),
    ),
    verifiedWith: nullable(Type.String()),
  },
  { title: "DatasetFile" },
);

export const VersionView = Type.Object(
  {
    version: Type.Integer(),
    submission: Type.String(),
    publishedAt: Type.String({ format: "date-time" }),
    objects: Type.Integer(),
    bytes: Type.Integer(),
  },
  { title: "Version" },
);

const Finding = Type.Object({
  code: Type.String({ description: "As “accession verify” names it." }),
  path: Type.String({ description: "In the dataset’s folder; empty for the whole of it." }),
  detail: Type.String(),
});

export const AuditView = Type.Object(
  {
    at: time("When the archived bytes were last read again."),
    ok: Type.Boolean({ description: "Whether everything was as it should be." }),
    files: Type.Integer(),
    bytes: Type.Integer(),
    findings: Type.Array(Finding, { description: "The first 100 things that were wrong." }),
  },
  { title: "Audit" },
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
    removedAt: nullable(time("When its bytes were gone.")),
    versions: Type.Array(
      Type.Object({
        version: Type.Integer(),
        submission: Type.String(),
        publishedAt: Type.String({ format: "date-time" }),
        objects: Type.Integer(),
        bytes: Type.Integer(),
        receipt: Type.String({ description: "Where the receipt is." }),
      }),
    ),
  },
  { title: "Tombstone", description: "What stays of a dataset that was withdrawn." },
);

export const EventView = Type.Object(
  {
    id: Type.Integer({ description: "Number in the submission’s log, from 1 on." }),
    at: time("When it happened."),
    attempt: Type.Integer(),
    type: Type.String(),
    message: Type.String({ description: "For people." }),
    data: nullable(Type.Unknown()),
  },
  { title: "Event" },
);

export const TokenView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    name: Type.String({ description: "The owner for whom its holder acts." }),
    role: Type.Enum(["submitter", "curator", "admin"]),
    createdAt: time("When it was created."),
    expiresAt: nullable(time("When it stops being valid; null for never.")),
    lastUsedAt: nullable(time("When it was last used, to the hour.")),
  },
  { title: "Token" },
);

/** New keys for a bucket that is known; endpoint and bucket may be left out. */
export const NewCredentials = Type.Object(
  { s3Access: Type.Optional(Type.Partial(S3Access)) },
  { title: "NewCredentials", additionalProperties: false },
);

export const IdParams = Type.Object({ id: Type.String({ description: "Id of the submission." }) });

export const DatasetParams = Type.Object({ id: Type.String({ description: "Id of the dataset." }) });

/** An answer that is bytes of one of these media types. */
export function Bytes(description: string, ...mediaTypes: string[]) {
  const schema = Type.String({ format: "binary" });
  return { description, content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])) };
}

/** The answers that any operation on a submission can give besides its own. */
export const problems = { "4xx": ProblemAnswer, "5xx": ProblemAnswer };
