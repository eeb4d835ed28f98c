import { type TSchema, Type } from "typebox";
import { Author, Metadata } from "../../describe/metadata/schema.ts";
import { S3Access } from "../../domain/source-access/access.ts";
import { Selection } from "../../domain/submission/selection.ts";
import { STATUSES } from "../../domain/submission/states.ts";
import { SUMMARY } from "../../domain/submission/summary.ts";
import { SUBMISSION } from "../openapi/examples.ts";
import {
  count,
  Fault,
  flag,
  IdentifierType,
  list,
  nullable,
  object,
  ProblemCode,
  Remark,
  text,
  textOrNull,
  time,
  timeOrNull,
  uuid,
} from "./basics.ts";
import { DigestsView } from "./digests.ts";

export const Standstill = object("Standstill", "The problem because of which a submission waits or failed.", {
  code: ProblemCode,
  fault: Fault,
  message: text("Human-readable explanation."),
  action: text("How to fix the problem."),
  retryable: flag("Whether a later attempt can succeed without any change."),
  since: time("Time since which the submission waits, or at which it failed."),
  until: timeOrNull("Time at which the waiting submission fails; null if it does not."),
});

export const Status = Type.Enum([...STATUSES], {
  title: "Status",
  description: "Status of a submission. `completed` and `cancelled` are final. A `failed` submission can be retried.",
});

export const Progress = object("Progress", "Progress of a submission. It never decreases within an attempt.", {
  listingComplete: flag("Whether the listing is complete. Until then, the listed counts increase."),
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
    object("Stalled", "An interruption of the transfer by the source.", {
      since: time("Time at which the source last sent data."),
      until: time("Latest time at which the service stops reading and the submission waits for the source."),
    }),
    "Set if the source has sent no data for 10 seconds while the service is reading from it.",
  ),
});

export const Drift = object("Drift", "An object that changed in the source after it was read.", {
  key: text("Key of the object."),
  change: Type.Enum(["changed", "vanished", "appeared"], { description: "Type of the change." }),
});

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

export const Withdrawal = object("Withdrawal", "The withdrawal of a dataset.", {
  at: time("Time of the withdrawal."),
  by: text("Admin who withdrew the dataset."),
  reason: text("Reason that the admin stated."),
});

const DatasetVersion = object("DatasetVersion", "A version of a dataset.", {
  id: uuid("Id of the dataset."),
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
});

export const SubmissionView = object("Submission", "A request to archive a bucket or an upload, and its processing.", {
  id: uuid("Id of the submission."),
  status: Status,
  attempt: Type.Integer({
    minimum: 1,
    description: "Number of the attempt. Retrying a failed submission increases it.",
  }),
  title: text("Title from the metadata, without leading and trailing spaces."),
  owner: text("Owner of the submission."),
  createdAt: time("Time at which the submission was accepted."),
  updatedAt: time("Time of the last change."),
  finishedAt: timeOrNull("Time at which the submission was completed, failed or was cancelled; null until then."),
  metadata: SentMetadata,
  source: object("Source", "The bucket or upload that the submission reads, without credentials.", {
    endpoint: text("Address of the S3 server; `upload` for an upload to this service."),
    region: textOrNull("Region of the bucket; null if unknown."),
    bucket: text("Name of the bucket; id of the upload."),
    selection: Selection,
  }),
  progress: Progress,
  waiting: nullable(Standstill, "Problem that must be fixed before the submission continues; null unless it waits."),
  failure: nullable(Standstill, "Problem because of which the submission failed; null unless it failed."),
  drift: list(Drift, "Changes in the source after it was read."),
  target: nullable(
    DatasetVersion,
    "Version of a dataset that the submission creates; null for submissions of early releases.",
  ),
  dataset: nullable(DatasetVersion, "Version of a dataset that the submission created; null until it is completed."),
  sourceMayBeDeleted: nullable(
    Type.Enum(["yes", "no"]),
    "Whether the source can be deleted, as in the receipt; `no` if the dataset was withdrawn; null until the submission is completed.",
  ),
  statement: textOrNull("Explanation of `sourceMayBeDeleted`, with its scope; null until the submission is completed."),
  warnings: list(Remark, "Warnings about the request."),
  links: Type.Record(Type.String(), Type.String(), {
    description: "Paths of related resources: `self`, `files`, `events`; once completed, also `receipt` and `dataset`.",
  }),
  identifier: textOrNull(
    "Persistent identifier of the archived version: the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset. Null before archiving.",
  ),
  identifierType: nullable(IdentifierType),
  reservedDoi: textOrNull(
    "DOI that is reserved for the version. It resolves after publication. Null if none was requested, or DataCite has not confirmed it yet.",
  ),
  digests: nullable(
    DigestsView,
    "Lists of checksums that were computed where the data were produced. Null without lists.",
  ),
  withdrawn: nullable(
    Withdrawal,
    "Set if the dataset was withdrawn. Its content is deleted, and the source must not be deleted.",
  ),
});

/** Members of an author that a summary contains. */
const { role, name, orcid, firstName, lastName } = Author.properties;

export const MetadataSummary = object("MetadataSummary", "A part of the submitted metadata, of limited size.", {
  title: text(`Title, cut to ${SUMMARY.title} characters.`),
  description: Type.Optional(text(`Description, cut to ${SUMMARY.description} characters.`)),
  authors: list(
    object("AuthorSummary", "An author in a list.", { role, name, orcid, firstName, lastName }),
    `First ${SUMMARY.authors} authors. Each text is cut to ${SUMMARY.text} characters.`,
  ),
  authorsTotal: count("Number of authors."),
  subjects: list(Type.String(), `First ${SUMMARY.subjects} keywords.`),
  subjectsTotal: count("Number of keywords."),
  language: Type.Optional(text("Language as submitted.")),
  license: Type.Optional(text("Licence as submitted.")),
  embargoDate: Type.Optional(text("End of the embargo as submitted.")),
});

/** Member of list entries that tells whether their content was shortened. */
export const Shortened = flag(
  "Whether texts or lists of this entry are shortened. Shortened texts end with an ellipsis.",
);

const { identifier: _, identifierType: __, reservedDoi: ___, digests: ____, ...listed } = SubmissionView.properties;

export const SubmissionEntry = object(
  "SubmissionEntry",
  "A submission in a list. Its size is limited: `metadata` is a subset, and long texts and lists are shortened. `GET /submission/{id}` returns the complete submission.",
  {
    ...listed,
    metadata: MetadataSummary,
    driftTotal: count("Number of objects that changed in the source. `drift` lists the first 3."),
    warningsTotal: count(`Number of warnings. \`warnings\` lists the first ${SUMMARY.warnings}.`),
    shortened: Shortened,
  },
);

export const VerifiedBy = Type.Enum(["submitter", "checksum", "md5", "md5-parts", "length"], {
  title: "VerifiedBy",
  description:
    "Evidence for a file: `submitter` (a checksum of a digest list), `checksum` (a checksum from the server), `md5` (the ETag is the MD5 of the object), `md5-parts` (the ETag is derived from the MD5 of the parts) or `length` (only the length was compared).",
});

export const FileError = object("FileError", "The error of an unreadable object.", {
  code: ProblemCode,
  message: text("Human-readable explanation."),
});

export const FileView = object("File", "An object of the source and its state.", {
  path: text("Logical path in the dataset."),
  key: text("Key of the object in the source."),
  bytes: count("Size in bytes."),
  sha512: textOrNull("SHA-512 of the stored content in lower-case hexadecimal; null until it is stored."),
  state: Type.Enum(["listed", "stored", "failed", "excluded"], {
    title: "FileState",
    description: "State of an object: `listed`, `stored` (stored and verified), `failed` (unreadable) or `excluded`.",
  }),
  verifiedBy: nullable(VerifiedBy, "Strongest evidence that the stored content equals the object."),
  verifiedWith: textOrNull("Algorithm of the checksum, such as `crc64nvme` or `submitter-sha256`."),
  attempts: count("Number of times that the object was requested."),
  error: nullable(FileError, "Error of an unreadable object."),
});

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
