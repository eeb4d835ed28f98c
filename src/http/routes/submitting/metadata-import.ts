import { Type } from "typebox";
import { MAX_METADATA_FILES } from "../../../describe/import/found-files.ts";
import type { Remark } from "../../../domain/problems.ts";
import { pointerTo } from "../../../domain/remarks.ts";
import { importFiles } from "../../../intake/import-metadata.ts";
import { invalid } from "../../../intake/request.ts";
import { goneSignal } from "../../fastify.ts";
import * as examples from "../../openapi/metadata-file-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { text } from "../../schemas/basics.ts";
import { MetadataSuggestions, suggestionsView } from "../../schemas/suggestions.ts";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const MetadataFilesUpload = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: 255,
            description: "Name of the file, without folders. It states the format.",
          }),
          content: text("Content in Base64; at most 2 MiB."),
        },
        { title: "MetadataFileUpload", additionalProperties: false, description: "A metadata file." },
      ),
      { minItems: 1, maxItems: MAX_METADATA_FILES, description: "The files, at most 10." },
    ),
  },
  { title: "MetadataFilesUpload", additionalProperties: false, description: "Metadata files of a dataset." },
);

/** Reads metadata files that the caller sends, and suggests values for the metadata. */
export const metadataImport = operation({
  route: "POST /metadata/import",
  operationId: "importMetadataFiles",
  summary: "Read metadata files",
  description:
    "Suggests values for the metadata from files, such as `CITATION.cff` and `datacite.json`. Nothing is stored. A file that cannot be read does not prevent the others. The files and the fields that they fill are listed in docs/import.md.",
  tag: "Before submitting",
  body: withExample(MetadataFilesUpload, examples.metadataFiles),
  config: { onlyReads: true },
  response: {
    200: documented(MetadataSuggestions, { description: "The suggested values.", example: examples.fileSuggestions }),
  },
  handler: async (context, request, reply) => {
    const wrong = request.body.files.flatMap(({ content }, index) => (BASE64.test(content) ? [] : [notBase64(index)]));
    if (wrong.length > 0) throw invalid(wrong, []);
    const files = request.body.files.map(({ name, content }) => ({ name, content: Buffer.from(content, "base64") }));
    const { owner } = callerOf(request);
    return suggestionsView(await importFiles(context.intake, { files, owner }, goneSignal(reply)));
  },
});

function notBase64(index: number): Remark {
  return {
    pointer: pointerTo("", "files", index, "content"),
    code: "wrong_value",
    detail: "The content is not Base64.",
  };
}
