import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { onRequestHookHandler } from "fastify";
import { Type } from "typebox";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "./answer.ts";
import { describeRoute, finish } from "./document.ts";
import type { Document } from "./types.ts";

const TAGS = {
  "Before submitting": "Try out a bucket and metadata; nothing is kept.",
  Submitting: "Hand a bucket over.",
  Submissions: "Follow what was submitted, decide where somebody has to, fetch the receipt.",
  Datasets: "What is archived.",
  Webhooks: "Be told of what happens to submissions; see docs/webhooks.md.",
  Tokens: "Who may come in, where callers sign in with tokens of this service. For admins.",
  Operating: "Probes, metrics, keys of the receipts, and this description.",
};

const DESCRIPTION = `Takes custody of a dataset that lies in an S3-compatible bucket: reads every object, proves that what it stored is what the bucket held, packages it for preservation and hands back a signed receipt.

Bodies are JSON in UTF-8 unless an operation says otherwise; one without a content type is taken as JSON. An empty string means “not given”. Unknown query parameters are answered with 422, except by the probes, the metrics, the keys, this description and download links, to which monitors, caches and mail programs add parameters of their own. Errors are \`application/problem+json\` (RFC 9457): \`code\` is stable, \`action\` says what to do, and \`errors\` names every fault of the request at once.`;

/** The API's description (OpenAPI 3.1), made from the same schemas that validate, and its page. To be called before any route is added. */
export async function serveDescription(server: Server, { basePath, version }: HttpContext): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Accession",
        version,
        description: DESCRIPTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: basePath || "/", description: "This service." }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description:
              "A token of this service, or an access token of its OpenID provider, as the operator decided. Where there is no sign-in none is needed.",
          },
        },
      },
    },
    convertConstToEnum: false,
    transform: (described) => describeRoute(described) as never,
    transformObject: (made) => finish(("openapiObject" in made ? made.openapiObject : {}) as Document) as never,
  });
  server.get(
    `${basePath}/openapi.json`,
    { schema: openapiSchema, config: { anyQuery: true } },
    async () => server.swagger() as never,
  );
  await server.register(swaggerUi, {
    routePrefix: `${basePath}/docs`,
    theme: { title: "Accession: the API" },
    uiConfig: { layout: "BaseLayout" },
    uiHooks: { onRequest: toPlainAddress(basePath) },
    // The policy of every answer; only that the page's own library writes styles into its elements.
    transformStaticCSP: (policy) => policy.replace(/style-src [^;]*/, "style-src 'self' 'unsafe-inline'"),
  });
}

/** The page's script looks for the description below its whole address, and does not find it where that has a query. */
function toPlainAddress(basePath: string): onRequestHookHandler {
  const page = `${basePath}/docs`;
  const addresses = [page, `${page}/`, `${page}/static/index.html`];
  return (request, reply, done) => {
    const [path = "", query] = request.url.split("?", 2);
    if (query === undefined || !addresses.includes(path)) done();
    else reply.redirect(`${page}/`);
  };
}

const openapiSchema = {
  operationId: "getDescription",
  summary: "Fetch this description",
  description: "The page at `/docs` shows the same for people.",
  tags: ["Operating"],
  response: {
    200: answer(
      Type.Object(
        { openapi: Type.String({ description: "The version of OpenAPI." }) },
        { title: "Description", additionalProperties: true, description: "The API, described." },
      ),
      {
        description: "An OpenAPI 3.1 document.",
        example: { openapi: "3.1.0", info: { title: "Accession", version: "0.1.0" }, paths: {} },
      },
    ),
  },
};
