import { Type } from "typebox";
import { NOTES } from "../../intake/check.ts";
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
  timeOrNull,
} from "./basics.ts";
import { TombstoneView } from "./dataset.ts";
import { CheckView, PublicationActionName, PublicationStateName } from "./publication.ts";

const StepNote = Type.Enum([...NOTES], {
  title: "StepNote",
  description: "Stable code of what a step found. Later versions can add codes.",
});

const StepValues = object(
  "StepValues",
  "The values that `detail` contains, for clients that translate `note` or `code`.",
  {
    host: Type.Optional(text("Name of the server, with its port if the endpoint names one.")),
    addresses: Type.Optional(list(Type.String(), "IP addresses of the server.")),
    minutes: Type.Optional(count("Difference between the clocks.")),
    seconds: Type.Optional(count("Time that the server has not answered.")),
    limitSeconds: Type.Optional(count("Time that the service waits for an answer.")),
    prefix: Type.Optional(text("The prefix of the request.")),
    objects: Type.Optional(count("Number of objects on the first page of the listing.")),
    key: Type.Optional(text("Key of the object that was read.")),
    parts: Type.Optional(text("Headers and parameters that the server refuses.")),
    region: Type.Optional(text("Region of the bucket according to the server.")),
    s3Code: Type.Optional(text("Error code of the server, such as `AccessDenied`.")),
  },
);

export const ReportView = object("Report", "The result of a bucket check.", {
  ok: flag("Whether the service can read the bucket."),
  message: text("`Connection successful`, or the cause of the failure and how to fix it."),
  steps: list(
    object("ReportStep", "A step of a bucket check.", {
      name: Type.Enum(["address", "connect", "tls", "clock", "signature", "bucket", "list", "read"], {
        description: "Name of the step. Steps run in this order.",
      }),
      status: Type.Enum(["passed", "failed", "skipped", "warning"], { description: "Result of the step." }),
      detail: text("Human-readable result."),
      note: nullable(StepNote, "Code of `detail`, for translation; null if the step failed."),
      values: StepValues,
      hint: text("How to fix the problem; empty if no action is required."),
      code: nullable(ProblemCode, "Problem code; null if the step found no problem."),
      milliseconds: count("Duration of the step in milliseconds."),
    }),
    "Steps of the check, in order.",
  ),
  policy: Type.Unknown({
    description:
      "Bucket policy with the minimum permissions, ready to paste; empty if members of the request are invalid.",
  }),
});

/** What the public learns of a version whose publication was withdrawn. */
export const WithdrawnPublicationView = object(
  "WithdrawnPublication",
  "The withdrawal of a published version. The archive keeps its files for the owner and curators.",
  {
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
    title: text("Title of the version."),
    authors: list(Type.String(), "Names of its authors."),
    identifier: textOrNull("Identifier under which it was published."),
    identifierType: nullable(IdentifierType),
    publishedAt: timeOrNull("Time of publication."),
    at: timeOrNull("Time of the withdrawal."),
    reason: text("Reason for the withdrawal."),
  },
);

export const ProblemAnswer = object("Problem", "An error (RFC 9457).", {
  type: text("`urn:accession:problem:` and the code."),
  title: text("Short summary, the same for every problem with this code."),
  status: Type.Integer({ description: "HTTP status of the response." }),
  detail: text("Explanation of this occurrence. It never contains an access key or a secret key."),
  code: ProblemCode,
  fault: Fault,
  action: text("How to fix the problem."),
  instance: Type.Optional(
    text(
      "URN with the id of the request, as in the log and in `X-Request-Id`. Absent if the request could not be parsed.",
    ),
  ),
  errors: Type.Optional(list(Remark, "All errors in the request; at most the first 1,000.")),
  warnings: Type.Optional(list(Remark, "Warnings about the request.")),
  report: Type.Optional(ReportView),
  tombstone: Type.Optional(TombstoneView),
  withdrawn: Type.Optional(WithdrawnPublicationView),
  embargoDate: Type.Optional(text("First day on which the files are open (YYYY-MM-DD, UTC).")),
  requestAccess: Type.Optional(text("Page on which readers ask for access to the files.")),
  state: Type.Optional(PublicationStateName),
  actions: Type.Optional(list(PublicationActionName, "Actions that the caller can take in this state.")),
  checks: Type.Optional(list(CheckView, "Findings of the automatic checks.")),
  submission: Type.Optional(text("Id of the submission that was created with this Idempotency-Key.")),
  quota: Type.Optional(
    object("QuotaExceeded", "The quota that the request exceeds.", {
      of: Type.Enum(["submissions", "objects", "bytes"], { description: "Name of the quota." }),
      used: count("Amount already used."),
      wanted: count("Amount that this request adds."),
      allowed: count("Limit of the quota."),
    }),
  ),
  region: Type.Optional(text("Region of the bucket, as reported by the source.")),
  s3Code: Type.Optional(text("Error code of the source, such as `AccessDenied`.")),
});
