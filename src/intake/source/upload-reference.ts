import { Type } from "typebox";
import type { Remark } from "../../domain/problems.ts";

/** The member `upload` of a submission. */
export const UploadReference = Type.Object(
  {
    id: Type.String({ description: "Id of the upload." }),
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "`revision` of the upload whose files the client has seen. If files were changed since, the submission is refused (`upload_changed`).",
        examples: [3],
      }),
    ),
  },
  {
    title: "UploadReference",
    additionalProperties: false,
    description: "The upload that the submission reads, instead of a bucket.",
  },
);

/** Members that are about buckets, and that a submission with an upload must not have: all of its files are archived. */
export function bucketFaults(request: Record<string, unknown>): Remark[] {
  const faults: [name: string, detail: string][] = [
    ["s3Access", "A submission has one source: a bucket or an upload."],
    ["selection", "All files of an upload are archived. Remove the others from the upload."],
  ];
  return faults
    .filter(([name]) => request[name] !== undefined)
    .map(([name, detail]) => ({ pointer: `/${name}`, code: "wrong_value", detail }));
}
