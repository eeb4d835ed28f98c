import { Type } from "typebox";
import { documented, operation } from "../operation.ts";
import { text } from "../schemas/basics.ts";

const ApiDescription = Type.Object(
  { openapi: text("Version of the OpenAPI specification.") },
  { title: "ApiDescription", additionalProperties: true, description: "The API description." },
);

/** Returns the OpenAPI document, which `openapi/serve.ts` generates. */
export const apiDescription = operation({
  route: "GET /openapi.json",
  operationId: "getDescription",
  summary: "Retrieve the API description",
  description: "Returns the OpenAPI document of this service. The page at `/docs` displays it.",
  tag: "Operating",
  config: { anyQuery: true },
  response: {
    200: documented(ApiDescription, {
      description: "An OpenAPI 3.1 document.",
      example: { openapi: "3.1.0", info: { title: "Accession", version: "0.1.0" }, paths: {} },
    }),
  },
  handler: async (_context, request) => request.server.swagger() as never,
});
