import { type TSchema, Type } from "typebox";
import { Author, Metadata } from "../../describe/metadata/schema.ts";
import { S3Access } from "../../domain/access.ts";
import { Selection } from "../../domain/selection.ts";
import { STATUSES } from "../../domain/states.ts";
import { SUMMARY } from "../../domain/summary.ts";
import { SUBMISSION } from "../openapi/examples.ts";
import { count, Fault, IdentifierType, nullable, ProblemCode, Remark, time } from "./basics.ts";

export const Standstill = Type.Object(
  {
    code: ProblemCode,
    fault: Fault,
    message: Type.String({ description: "Human-readable explanation." }),
    action: Type.String({ description: "How to fix the problem." }),
    retryable: Type.Boolean({ description: "Whether a later attempt can succeed without any change." }),
    since: time("Time since which the submission waits, or at which it failed."),
    until: nullable(
      Type.String({ format: "date-time" }),
      "Time at which the waiting submission fails; null if it does not.",
    ),
  },
  { title: "Standstill", description: "The problem because of which a submission waits or failed." },
);

export const Status = Type.Enum([...STATUSES], {
  title: "Status",
  description: "Status of a submission. `completed` and `cancelled` are final. A `failed` submission can be retried.",
});

export const Progress = Type.Object(
  {
    listingComplete: Type.Boolean({
      description: "Whether the listing is complete. Until then, the listed counts increase.",
    }),
    objectsListed: count("Number of selected objects."),
    bytesListed: count("Total size of these objects in bytes."),
    objectsStored: count("Number of objects that are stored and verified."),
    bytesStored: count("Total size of these objects in bytes."),
    objectsFailed: count("Number of unreadable objects that are not excluded."),
    objectsExcluded: count("Number of excluded objects."),
    bytesPerSecond: nullable(
      Type.Number(),
      "Average transfer rate since the transfer started or resumed, in bytes per second; null if no data is transferred.",
    ),
    secondsLeft: nullable(Type.Number(), "Estimated remaining time in seconds; null without recent progress."),
    stalled: nullable(
      Type.Object(
        {
          since: time("Time at which the source last sent data."),
          until: time("Latest time at which the service stops reading and the submission waits for the source."),
        },
        { title: "Stalled", description: "An interruption of the transfer by the source." },
      ),
      "Set if the source has sent no data for 10 seconds while the service is reading from it.",
    ),
  },
  { title: "Progress", description: "Progress of a submission. It never decreases within an attempt." },
);

export const Drift = Type.Object(
  {
    key: Type.String({ description: "Key of the object." }),
    change: Type.Enum(["changed", "vanished", "appeared"], { description: "Type of the change." }),
  },
  { title: "Drift", description: "An object that changed in the bucket after it was read." },
);

/**
 * The form of a value in metadata that were submitted: every member of an object is optional and may be null or empty,
 * because both mean “not given”.
 */
function asSent(schema: TSchema): TSchema {
  const { type, title, description = "", items, properties } = schema as SchemaParts;
  if (type === "array" && items !== undefined) return { ...schema, items: asSent(items) } as TSchema;
  if (type !== "object" || properties === undefined) return schema;
  const members = Object.entries(properties).map(([name, member]): [string, TSchema] => {
    const value = asSent(member);
    const isText = (value as SchemaParts).type === "string";
    return [name, Type.Optional(isText ? nullable(value) : Type.Union([value, Type.Literal(""), Type.Null()]))];
  });
  return Type.Object(Object.fromEntries(members), { title: `Sent${title}`, additionalProperties: true, description });
}

interface SchemaParts {
  type?: string;
  title?: string;
  description?: string;
  items?: TSchema;
  properties?: Record<string, TSchema>;
}

const { title, ...others } = Metadata.properties;
export const SentMetadata: TSchema = Type.Object(
  // Only the title is required, because a rebuilt database has nothing else of a withdrawn dataset.
  { title, ...(asSent(Type.Object(others)) as SchemaParts).properties },
  {
    title: "SentMetadata",
    additionalProperties: true,
    description: "Metadata as submitted. Null and empty texts count as not given.",
  },
);

export const Withdrawal = Type.Object(
  {
    at: time("Time of the withdrawal."),
    by: Type.String({ description: "Admin who withdrew the dataset." }),
    reason: Type.String({ description: "Reason that the admin stated." }),
  },
  { title: "Withdrawal", description: "The withdrawal of a dataset." },
);

const DatasetVersion = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
  },
  { title: "DatasetVersion", description: "A version of a dataset." },
);

export const SubmissionView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the submission." }),
    status: Status,
    attempt: Type.Integer({
      minimum: 1,
      description: "Number of the attempt. Retrying a failed submission increases it.",
    }),
    title: Type.String({ description: "Title from the metadata, without leading and trailing spaces." }),
    owner: Type.String({ description: "Owner of the submission." }),
    createdAt: time("Time at which the submission was accepted."),
    updatedAt: time("Time of the last change."),
    finishedAt: nullable(
      Type.String({ format: "date-time" }),
      "Time at which the submission was completed, failed or was cancelled; null until then.",
    ),
    metadata: SentMetadata,
    source: Type.Object(
      {
        endpoint: Type.String({ description: "Address of the S3 server." }),
        region: nullable(Type.String(), "Region of the bucket; null if unknown."),
        bucket: Type.String({ description: "Name of the bucket." }),
        selection: Selection,
      },
      { title: "Source", description: "The bucket that the submission reads, without credentials." },
    ),
    progress: Progress,
    waiting: nullable(Standstill, "Problem that must be fixed before the submission continues; null unless it waits."),
    failure: nullable(Standstill, "Problem because of which the submission failed; null unless it failed."),
    drift: Type.Array(Drift, { description: "Changes in the bucket after it was read." }),
    target: nullable(
      DatasetVersion,
      "Version of a dataset that the submission creates; null for submissions of early releases.",
    ),
    dataset: nullable(DatasetVersion, "Version of a dataset that the submission created; null until it is completed."),
    sourceMayBeDeleted: nullable(
      Type.Enum(["yes", "no"]),
      "Whether the source can be deleted, as in the receipt; `no` if the dataset was withdrawn; null until the submission is completed.",
    ),
    statement: nullable(
      Type.String(),
      "Explanation of `sourceMayBeDeleted`, with its scope; null until the submission is completed.",
    ),
    warnings: Type.Array(Remark, { description: "Warnings about the request." }),
    links: Type.Record(Type.String(), Type.String(), {
      description:
        "Paths of related resources: `self`, `files`, `events`; once completed, also `receipt` and `dataset`.",
    }),
    identifier: nullable(
      Type.String(),
      "Persistent identifier of the archived version: the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset. Null before archiving.",
    ),
    identifierType: nullable(IdentifierType),
    reservedDoi: nullable(
      Type.String(),
      "DOI that is reserved for the version. It resolves after publication. Null if none was requested, or DataCite has not confirmed it yet.",
    ),
    withdrawn: nullable(
      Withdrawal,
      "Set if the dataset was withdrawn. Its content is deleted, and the source must not be deleted.",
    ),
  },
  { title: "Submission", description: "A request to archive a bucket, and its processing." },
);

/** Members of an author that a summary contains. */
const { role, name, orcid, firstName, lastName } = Author.properties;

export const MetadataSummary = Type.Object(
  {
    title: Type.String({ description: `Title, cut to ${SUMMARY.title} characters.` }),
    description: Type.Optional(Type.String({ description: `Description, cut to ${SUMMARY.description} characters.` })),
    authors: Type.Array(
      Type.Object(
        { role, name, orcid, firstName, lastName },
        { title: "AuthorSummary", description: "An author in a list." },
      ),
      { description: `First ${SUMMARY.authors} authors. Each text is cut to ${SUMMARY.text} characters.` },
    ),
    authorsTotal: count("Number of authors."),
    subjects: Type.Array(Type.String(), { description: `First ${SUMMARY.subjects} keywords.` }),
    subjectsTotal: count("Number of keywords."),
    language: Type.Optional(Type.String({ description: "Language as submitted." })),
    license: Type.Optional(Type.String({ description: "Licence as submitted." })),
    embargoDate: Type.Optional(Type.String({ description: "End of the embargo as submitted." })),
  },
  { title: "MetadataSummary", description: "A part of the submitted metadata, of limited size." },
);

/** Member of list entries that tells whether their content was shortened. */
export const Shortened = Type.Boolean({
  description: "Whether texts or lists of this entry are shortened. Shortened texts end with an ellipsis.",
});

const { identifier: _, identifierType: __, reservedDoi: ___, ...listed } = SubmissionView.properties;

export const SubmissionEntry = Type.Object(
  {
    ...listed,
    metadata: MetadataSummary,
    driftTotal: count("Number of objects that changed in the bucket. `drift` lists the first 3."),
    warningsTotal: count(`Number of warnings. \`warnings\` lists the first ${SUMMARY.warnings}.`),
    shortened: Shortened,
  },
  {
    title: "SubmissionEntry",
    description:
      "A submission in a list. Its size is limited: `metadata` is a subset, and long texts and lists are shortened. `GET /submission/{id}` returns the complete submission.",
  },
);

export const VerifiedBy = Type.Enum(["checksum", "md5", "md5-parts", "length"], {
  title: "VerifiedBy",
  description:
    "Evidence for a file: `checksum` (a checksum from the server), `md5` (the ETag is the MD5 of the object), `md5-parts` (the ETag is derived from the MD5 of the parts) or `length` (only the length was compared).",
});

export const FileError = Type.Object(
  { code: ProblemCode, message: Type.String({ description: "Human-readable explanation." }) },
  { title: "FileError", description: "The error of an unreadable object." },
);

export const FileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    key: Type.String({ description: "Key of the object in the bucket." }),
    bytes: count("Size in bytes."),
    sha512: nullable(
      Type.String(),
      "SHA-512 of the stored content in lower-case hexadecimal; null until it is stored.",
    ),
    state: Type.Enum(["listed", "stored", "failed", "excluded"], {
      title: "FileState",
      description: "State of an object: `listed`, `stored` (stored and verified), `failed` (unreadable) or `excluded`.",
    }),
    verifiedBy: nullable(VerifiedBy, "Strongest evidence that the stored content equals the object."),
    verifiedWith: nullable(Type.String(), "Algorithm of the checksum, such as `crc64nvme`."),
    attempts: count("Number of times that the object was requested."),
    error: nullable(FileError, "Error of an unreadable object."),
  },
  { title: "File", description: "An object of the bucket and its state." },
);

/** New credentials for the bucket of a submission. Endpoint and bucket can be omitted. */
export const NewCredentials = Type.Object(
  {
    s3Access: Type.Optional(
      Type.Partial(S3Access, {
        title: "NewS3Access",
        description: "New credentials. A different endpoint or bucket is rejected.",
      }),
    ),
  },
  {
    title: "NewCredentials",
    additionalProperties: false,
    description: "Credentials with which the submission continues.",
  },
);

export const IdParams = Type.Object({
  id: Type.String({ description: "Id of the submission.", examples: [SUBMISSION] }),
});
