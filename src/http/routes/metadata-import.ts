import { Type } from "typebox";
import { MAX_METADATA_FILE_BYTES } from "../../import/file-kinds.ts";
import { importFile } from "../../intake/import-metadata.ts";
import { invalid } from "../../intake/request.ts";
import type { HttpContext } from "../context.ts";
import { goneSignal, type Server } from "../fastify.ts";
import { answer, withExample } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { callerOf } from "../requests/access.ts";
import { MetadataSuggestions, suggestionsView } from "../schemas/suggestions.ts";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const MetadataFileUpload = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Name of the file, which states its format.",
    }),
    content: Type.String({
      // Base64 has four characters for three bytes.
      maxLength: 4 * Math.ceil(MAX_METADATA_FILE_BYTES / 3),
      contentEncoding: "base64",
      description: "Content of the file in Base64; at most 2 MiB.",
    }),
  },
  { title: "MetadataFileUpload", additionalProperties: false, description: "A metadata file." },
);

/** Reads a metadata file that the caller sends, and suggests values for the metadata. */
export function metadataImport(server: Server, context: HttpContext): void {
  server.post(
    "/metadata/import",
    {
      config: { problems: ["metadata_file_invalid"] },
      schema: {
        operationId: "importMetadata",
        summary: "Read a metadata file",
        description:
          "Suggests values for the metadata from a file, such as `CITATION.cff` or `datacite.json`. Nothing is stored. [Import of metadata files](import.md) lists the files and the fields that they fill.",
        tags: ["Before submitting"],
        body: withExample(MetadataFileUpload, examples.metadataFile),
        response: {
          200: answer(MetadataSuggestions, { description: "The suggested values.", example: examples.fileSuggestions }),
        },
      },
    },
    async (request, reply) => {
      const { name, content } = request.body;
      if (!BASE64.test(content)) {
        throw invalid([{ pointer: "/content", code: "wrong_value", detail: "The content is not Base64." }], []);
      }
      const file = { name, content: Buffer.from(content, "base64") };
      const suggestions = suggestionsView(await importFile(context.intake, file, goneSignal(reply)));
      context.limits.answer(reply, callerOf(request).owner, JSON.stringify(suggestions).length);
      return suggestions;
    },
  );
}
