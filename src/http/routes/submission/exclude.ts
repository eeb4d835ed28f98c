import { Type } from "typebox";
import { exclude } from "../../../intake/exclude.ts";
import { requireText } from "../../../intake/request.ts";
import { accepted, progress } from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { submissionView } from "../../responses/submissions.ts";
import { closedObject, IdParams, SubmissionView } from "../../schemas.ts";

const ExcludeRequest = withExample(
  closedObject("ExcludeRequest", "The objects to exclude, and the reason.", {
    keys: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 100_000,
      description: "Keys of unreadable objects of the submission.",
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Reason for the exclusion. The manifest and the receipt contain it.",
    }),
  }),
  { keys: ["measurements/plot-07.csv"], reason: "The sensor was broken" },
);

const noFiles = { total: 0, keys: [] };

/** One of the 24 tables differs from a checksum list in the bucket, and is excluded. */
const excluded = {
  ...accepted,
  status: "transferring",
  updatedAt: "2026-11-02T10:15:00.000Z",
  progress: { ...progress, objectsStored: 23, bytesStored: 1_958_366, objectsExcluded: 1 },
  digests: {
    lists: [{ name: "SHA256SUMS", origin: "source", entries: 24 }],
    unread: [],
    comparison: { files: 24, notSelected: 0, missing: noFiles, additional: noFiles },
    differing: 1,
    differingExcluded: 1,
  },
};

/** Excludes unreadable objects from a submission. */
export const submissionExclude = operation({
  route: "POST /submission/:id/exclude",
  operationId: "excludeObjects",
  summary: "Exclude unreadable objects",
  description:
    "For a submission that waits with `objects_unreadable`. The submission continues once all unreadable objects are excluded.",
  tag: "Submissions",
  problems: ["wrong_state"],
  params: IdParams,
  body: ExcludeRequest,
  response: {
    202: documented(SubmissionView, { description: "The objects are excluded.", example: excluded }),
  },
  handler: async (context, request) => {
    requireText(request.body.reason, "/reason");
    await exclude(context.intake, await requireSubmission(context, request), request.body);
    return submissionView(context, await requireSubmission(context, request));
  },
});
