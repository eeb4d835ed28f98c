import { Type } from "typebox";
import { NOTES } from "../../intake/check.ts";
import { count, Fault, IdentifierType, nullable, ProblemCode, Remark } from "./basics.ts";
import { TombstoneView } from "./dataset.ts";
import { CheckView, PublicationActionName, PublicationStateName } from "./publication.ts";

const StepNote = Type.Enum([...NOTES], {
  title: "StepNote",
  description: "Stable code of what a step found. Later versions can add codes.",
});

const StepValues = Type.Object(
  {
    host: Type.Optional(Type.String({ description: "Name of the server, with its port if the endpoint names one." })),
    addresses: Type.Optional(Type.Array(Type.String(), { description: "IP addresses of the server." })),
    minutes: Type.Optional(count("Difference between the clocks.")),
    seconds: Type.Optional(count("Time that the server has not answered.")),
    limitSeconds: Type.Optional(count("Time that the service waits for an answer.")),
    prefix: Type.Optional(Type.String({ description: "The prefix of the request." })),
    objects: Type.Optional(count("Number of objects on the first page of the listing.")),
    key: Type.Optional(Type.String({ description: "Key of the object that was read." })),
    parts: Type.Optional(Type.String({ description: "Headers and parameters that the server refuses." })),
    region: Type.Optional(Type.String({ description: "Region of the bucket according to the server." })),
    s3Code: Type.Optional(Type.String({ description: "Error code of the server, such as `AccessDenied`." })),
  },
  {
    title: "StepValues",
    description: "The values that `detail` contains, for clients that translate `note` or `code`.",
  },
);

export const ReportView = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the service can read the bucket." }),
    message: Type.String({ description: "`Connection successful`, or the cause of the failure and how to fix it." }),
    steps: Type.Array(
      Type.Object(
        {
          name: Type.Enum(["address", "connect", "tls", "clock", "signature", "bucket", "list", "read"], {
            description: "Name of the step. Steps run in this order.",
          }),
          status: Type.Enum(["passed", "failed", "skipped", "warning"], { description: "Result of the step." }),
          detail: Type.String({ description: "Human-readable result." }),
          note: nullable(StepNote, "Code of `detail`, for translation; null if the step failed."),
          values: StepValues,
          hint: Type.String({ description: "How to fix the problem; empty if no action is required." }),
          code: nullable(ProblemCode, "Problem code; null if the step found no problem."),
          milliseconds: count("Duration of the step in milliseconds."),
        },
        { title: "ReportStep", description: "A step of a bucket check." },
      ),
      { description: "Steps of the check, in order." },
    ),
    policy: Type.Unknown({
      description:
        "Bucket policy with the minimum permissions, ready to paste; empty if members of the request are invalid.",
    }),
  },
  { title: "Report", description: "The result of a bucket check." },
);

/** What the public learns of a version whose publication was withdrawn. */
export const WithdrawnPublicationView = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
    title: Type.String({ description: "Title of the version." }),
    authors: Type.Array(Type.String(), { description: "Names of its authors." }),
    identifier: nullable(Type.String(), "Identifier under which it was published."),
    identifierType: nullable(IdentifierType),
    publishedAt: nullable(Type.String({ format: "date-time" }), "Time of publication."),
    at: nullable(Type.String({ format: "date-time" }), "Time of the withdrawal."),
    reason: Type.String({ description: "Reason for the withdrawal." }),
  },
  {
    title: "WithdrawnPublication",
    description: "The withdrawal of a published version. The archive keeps its files for the owner and curators.",
  },
);

export const ProblemAnswer = Type.Object(
  {
    type: Type.String({ description: "`urn:accession:problem:` and the code." }),
    title: Type.String({ description: "Short summary, the same for every problem with this code." }),
    status: Type.Integer({ description: "HTTP status of the response." }),
    detail: Type.String({
      description: "Explanation of this occurrence. It never contains an access key or a secret key.",
    }),
    code: ProblemCode,
    fault: Fault,
    action: Type.String({ description: "How to fix the problem." }),
    instance: Type.Optional(
      Type.String({
        description:
          "URN with the id of the request, as in the log and in `X-Request-Id`. Absent if the request could not be parsed.",
      }),
    ),
    errors: Type.Optional(Type.Array(Remark, { description: "All errors in the request; at most the first 1,000." })),
    warnings: Type.Optional(Type.Array(Remark, { description: "Warnings about the request." })),
    report: Type.Optional(ReportView),
    tombstone: Type.Optional(TombstoneView),
    withdrawn: Type.Optional(WithdrawnPublicationView),
    embargoDate: Type.Optional(
      Type.String({ description: "First day on which the files are open (YYYY-MM-DD, UTC)." }),
    ),
    requestAccess: Type.Optional(Type.String({ description: "Page on which readers ask for access to the files." })),
    state: Type.Optional(PublicationStateName),
    actions: Type.Optional(
      Type.Array(PublicationActionName, { description: "Actions that the caller can take in this state." }),
    ),
    checks: Type.Optional(Type.Array(CheckView, { description: "Findings of the automatic checks." })),
    submission: Type.Optional(
      Type.String({ description: "Id of the submission that was created with this Idempotency-Key." }),
    ),
    quota: Type.Optional(
      Type.Object(
        {
          of: Type.Enum(["submissions", "objects", "bytes"], { description: "Name of the quota." }),
          used: count("Amount already used."),
          wanted: count("Amount that this request adds."),
          allowed: count("Limit of the quota."),
        },
        { title: "QuotaExceeded", description: "The quota that the request exceeds." },
      ),
    ),
    region: Type.Optional(Type.String({ description: "Region of the bucket, as reported by the source." })),
    s3Code: Type.Optional(Type.String({ description: "Error code of the source, such as `AccessDenied`." })),
  },
  { title: "Problem", description: "An error (RFC 9457)." },
);
