import { SOURCE_CODES } from "../../../domain/problems.ts";
import { importFromBucket } from "../../../intake/import-metadata.ts";
import { CheckRequest, readCheck } from "../../../intake/request.ts";
import { goneSignal } from "../../fastify.ts";
import * as examples from "../../openapi/examples.ts";
import { suggestions } from "../../openapi/metadata-file-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt, callerOf } from "../../requests/access.ts";
import { unchecked } from "../../requests/validation.ts";
import { MetadataSuggestions, suggestionsView } from "../../schemas/suggestions.ts";

/** Reads the metadata files of a bucket and suggests values for the metadata. */
export const s3metadata = operation({
  route: "POST /submission/upload/s3metadata",
  operationId: "importBucketMetadata",
  summary: "Read metadata files of a bucket",
  description:
    "Lists the bucket for at most 10 seconds and reads metadata files, such as `CITATION.cff` and `datacite.json`, at the top level of the selected data: at most 10 files of at most 2 MiB each, in at most 20 seconds. Nothing is stored. A file that cannot be read does not prevent the others. The files and the fields that they fill are listed in docs/import.md.",
  tag: "Before submitting",
  problems: ["source_timeout", ...SOURCE_CODES],
  options: unchecked,
  body: withExample(CheckRequest, examples.check),
  config: { onlyReads: true },
  response: { 200: documented(MetadataSuggestions, { description: "The suggested values.", example: suggestions }) },
  handler: async (context, request, reply) => {
    const asked = readCheck(request.body);
    await callAt(context, request, reply, asked.access.endpoint);
    const { owner } = callerOf(request);
    return suggestionsView(await importFromBucket(context.intake, { ...asked, owner }, goneSignal(reply)));
  },
});
