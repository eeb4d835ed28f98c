import { type TSchema, Type } from "typebox";
import { S3Access } from "../../domain/access.ts";
import { Author, Metadata } from "../../domain/metadata/schema.ts";
import { Selection } from "../../domain/selection.ts";
import { STATUSES } from "../../domain/states.ts";
import { SUMMARY } from "../../domain/summary.ts";
import { SUBMISSION } from "../openapi/examples.ts";
import { count, Fault, nullable, ProblemCode, Remark, time } from "./basics.ts";

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
    secondsLeft: nullable(Type.Number(), "An estimate; null without recent progress."),
    stalled: nullable(
      Type.Object(
        {
          since: time("When the source last sent something."),
          until: time("When the service stops reading, at the latest, and the submission waits for the source."),
        },
        { title: "Stalled", description: "The source has stopped sending." },
      ),
      "Set when the source has sent nothing for 10 seconds although the service is reading from it.",
    ),
  },
  { title: "Progress", description: "How far a submission is. Within an attempt it never goes back." },
);

export const Drift = Type.Object(
  {
    key: Type.String({ description: "In the bucket." }),
    change: Type.Enum(["changed", "vanished", "appeared"], { description: "What happened to it after it was read." }),
  },
  { title: "Drift", description: "How the bucket differs from what was archived." },
);

/** What need not be given may also be null. */
const sent = (members: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, Type.Optional(nullable(member))]));

const { title, authors, subjects, ...texts } = Metadata.properties;
const SentAuthor = Type.Object(sent(Author.properties), { title: "SentAuthor", additionalProperties: true });
const SentMetadata = Type.Object(
  {
    title,
    // Of a withdrawn dataset a database that was made anew knows nothing but the title.
    authors: Type.Optional({ ...authors, items: SentAuthor }),
    subjects: Type.Optional(Type.Union([subjects, Type.Literal(""), Type.Null()])),
    ...sent(texts),
  },
  { title: "SentMetadata", additionalProperties: true, description: "As sent; null or an empty text is not given." },
);

export const Withdrawal = Type.Object(
  {
    at: time("When."),
    by: Type.String({ description: "The admin who withdrew it." }),
    reason: Type.String({ description: "Why, as they gave it." }),
  },
  { title: "Withdrawal", description: "Who withdrew a dataset, when and why." },
);

const DatasetVersion = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: Type.Integer({ minimum: 1, description: "Which of its versions." }),
  },
  { title: "DatasetVersion", description: "A version of a dataset." },
);

export const SubmissionView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the submission." }),
    status: Status,
    attempt: Type.Integer({ minimum: 1, description: "A retry begins the next one." }),
    title: Type.String({ description: "Of the metadata, without spaces at its ends." }),
    owner: Type.String({ description: "For whom it was submitted." }),
    createdAt: time("When it was accepted."),
    updatedAt: time("When something last happened."),
    finishedAt: nullable(Type.String({ format: "date-time" }), "When it ended; null while it goes on."),
    metadata: SentMetadata,
    source: Type.Object(
      {
        endpoint: Type.String({ description: "Address of the S3 server." }),
        region: nullable(Type.String(), "Null where the server has none."),
        bucket: Type.String({ description: "Name of the bucket." }),
        selection: Selection,
      },
      { title: "Source", description: "Where it came from; never a key." },
    ),
    progress: Progress,
    waiting: nullable(Standstill, "Why it waits; null unless it does."),
    failure: nullable(Standstill, "Why it failed; null unless it did."),
    drift: Type.Array(Drift, { description: "What changed in the bucket after it was read." }),
    target: nullable(DatasetVersion, "The version that it creates; null for submissions of early releases."),
    dataset: nullable(DatasetVersion, "What it became; null until it is completed."),
    sourceMayBeDeleted: nullable(
      Type.Enum(["yes", "no"]),
      "What the receipt says, and `no` once the dataset was withdrawn; null until it is completed.",
    ),
    statement: nullable(Type.String(), "The sentence that says why, and of what; null until it is completed."),
    warnings: Type.Array(Remark, { description: "What was accepted and could be better." }),
    links: Type.Record(Type.String(), Type.String(), {
      description: "Paths: `self`, `files`, `events`, and once completed `receipt` and `dataset`.",
    }),
    withdrawn: nullable(
      Withdrawal,
      "Set when the dataset was withdrawn: its bytes are gone, and the source may not be deleted.",
    ),
  },
  { title: "Submission", description: "One request to take in a bucket, and what became of it." },
);

/** Members of an author that a summary has. */
const { role, orcid, firstName, lastName } = Author.properties;

export const MetadataSummary = Type.Object(
  {
    title: Type.String({ description: `The title, at most ${SUMMARY.title} characters of it.` }),
    description: Type.Optional(
      Type.String({ description: `The description, at most ${SUMMARY.description} characters of it.` }),
    ),
    authors: Type.Array(
      Type.Object(
        { role, orcid, firstName, lastName },
        { title: "AuthorSummary", description: "An author in a list." },
      ),
      { description: `The first ${SUMMARY.authors} authors, each text with at most ${SUMMARY.text} characters.` },
    ),
    authorsTotal: count("How many authors there are."),
    subjects: Type.Array(Type.String(), { description: `The first ${SUMMARY.subjects} keywords.` }),
    subjectsTotal: count("How many keywords there are."),
    language: Type.Optional(Type.String({ description: "The language as sent." })),
    license: Type.Optional(Type.String({ description: "The licence as sent." })),
    embargoDate: Type.Optional(Type.String({ description: "The end of the embargo as sent." })),
  },
  { title: "MetadataSummary", description: "A bounded subset of the metadata as sent." },
);

/** Whether a list shows less than there is. */
export const Shortened = Type.Boolean({
  description: "Whether texts or lists of this entry are shortened. Shortened texts end with an ellipsis.",
});

export const SubmissionEntry = Type.Object(
  {
    ...SubmissionView.properties,
    metadata: MetadataSummary,
    driftTotal: count("How many objects changed in the bucket; `drift` names the first 3."),
    warningsTotal: count(`How many warnings there are; \`warnings\` has the first ${SUMMARY.warnings}.`),
    shortened: Shortened,
  },
  {
    title: "SubmissionEntry",
    description:
      "A submission in a list. Its size is bounded: `metadata` is a subset, and long texts and lists are shortened. `GET /submission/{id}` has all of it.",
  },
);

export const VerifiedBy = Type.Enum(["checksum", "md5", "md5-parts", "length"], {
  title: "VerifiedBy",
  description:
    "How a file was compared with what the source states: a checksum of the server’s, the ETag as MD5 of all or of the parts, or the length alone.",
});

export const FileError = Type.Object(
  { code: ProblemCode, message: Type.String({ description: "For people." }) },
  { title: "FileError", description: "Why an object cannot be read." },
);

export const FileView = Type.Object(
  {
    path: Type.String({ description: "Logical path in the dataset." }),
    key: Type.String({ description: "In the bucket." }),
    bytes: count("Its size."),
    sha512: nullable(Type.String(), "Of the bytes as they are stored, in lower-case hex; null until then."),
    state: Type.Enum(["listed", "stored", "failed", "excluded"], {
      title: "FileState",
      description: "What became of an object: known, stored and verified, unreadable, or left out by decision.",
    }),
    verifiedBy: nullable(VerifiedBy, "The strongest check against what the source states that held."),
    verifiedWith: nullable(Type.String(), "Its algorithm, such as `crc64nvme`."),
    attempts: count("How often it was asked for."),
    error: nullable(FileError, "Why it cannot be read."),
  },
  { title: "File", description: "An object of the bucket, and what became of it." },
);

/** New keys for a bucket that is known; endpoint and bucket may be left out. */
export const NewCredentials = Type.Object(
  {
    s3Access: Type.Optional(
      Type.Partial(S3Access, { title: "NewS3Access", description: "New keys; another endpoint or bucket is refused." }),
    ),
  },
  { title: "NewCredentials", additionalProperties: false, description: "The keys with which reading goes on." },
);

export const IdParams = Type.Object({
  id: Type.String({ description: "Id of the submission.", examples: [SUBMISSION] }),
});
