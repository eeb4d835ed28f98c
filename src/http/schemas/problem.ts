import { Type } from "typebox";
import { NOTES } from "../../intake/check.ts";
import { count, Fault, nullable, ProblemCode, Remark } from "./basics.ts";
import { TombstoneView } from "./dataset.ts";

const StepNote = Type.Enum([...NOTES], {
  title: "StepNote",
  description: "Stable code of what a step found. Later versions can add codes.",
});

const StepValues = Type.Object(
  {
    host: Type.Optional(Type.String({ description: "Name of the server, with its port if the endpoint names one." })),
    addresses: Type.Optional(Type.Array(Type.String(), { description: "IP addresses of the server." })),
    minutes: Type.Optional(count("Difference between the clocks.")),
    prefix: Type.Optional(Type.String({ description: "The prefix of the request." })),
    objects: Type.Optional(count("Number of objects on the first page of the listing.")),
    key: Type.Optional(Type.String({ description: "Key of the object that was read." })),
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
    ok: Type.Boolean({ description: "Whether the bucket can be taken in." }),
    message: Type.String({ description: "`Connection successful`, or the cause and what to do." }),
    steps: Type.Array(
      Type.Object(
        {
          name: Type.Enum(["address", "connect", "tls", "clock", "signature", "bucket", "list", "read"], {
            description: "What is tried, in this order.",
          }),
          status: Type.Enum(["passed", "failed", "skipped", "warning"], { description: "What came of it." }),
          detail: Type.String({ description: "For people." }),
          note: nullable(StepNote, "Code of `detail`, for translation; null if the step failed."),
          values: StepValues,
          hint: Type.String({ description: "What to do; empty when there is nothing to do." }),
          code: nullable(ProblemCode, "Of the problem, where it failed."),
          milliseconds: count("How long it took."),
        },
        { title: "ReportStep", description: "One thing that a check tries." },
      ),
      { description: "What was tried, in order." },
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
    errors: Type.Optional(
      Type.Array(Remark, { description: "Every fault of the request; of more than 1,000 the first ones." }),
    ),
    warnings: Type.Optional(Type.Array(Remark, { description: "What would be warned about, faults aside." })),
    report: Type.Optional(ReportView),
    tombstone: Type.Optional(TombstoneView),
    submission: Type.Optional(Type.String({ description: "The submission that the Idempotency-Key became." })),
    quota: Type.Optional(
      Type.Object(
        {
          of: Type.Enum(["submissions", "objects", "bytes"], { description: "Which quota." }),
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
