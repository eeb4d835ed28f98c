import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { onRequestHookHandler } from "fastify";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { describeRoute, finish } from "./document.ts";
import type { Document } from "./types.ts";

const TAGS = {
  "Before submitting": "Check a bucket and validate metadata. Nothing is stored.",
  Submitting: "Submit a bucket.",
  Submissions: "Track submissions, resolve problems and download receipts.",
  Datasets: "List, download, export and withdraw archived datasets.",
  Catalogue: "Find published datasets. No authentication is needed.",
  Uploads: "Send files to the service, if you have no bucket; see docs/how-to/uploads.md.",
  Collections: "Group published datasets by subject, project or institution; see docs/how-to/collections.md.",
  Publication: "Review datasets, and publish them under a DOI; see docs/publication.md.",
  Access: "Grant access to closed files of published datasets, and ask for it; see docs/publication.md.",
  Review: "Read a version of a dataset with a reviewer link, without an account; see docs/how-to/reviewers.md.",
  Webhooks: "Receive notifications about submissions; see docs/webhooks.md.",
  Tokens: "Manage the tokens of callers, if callers sign in with tokens of this service. For admins.",
  Operating: "Health probes, metrics, public keys of receipts, and this API description.",
};

const DESCRIPTION = `Accession archives datasets from S3-compatible buckets. It reads every object, verifies the stored content against the bucket, packages it for preservation and issues a signed receipt.

Request and response bodies are JSON in UTF-8, unless an operation states otherwise. A request body without a content type is read as JSON. An empty string counts as not given.

Unknown query parameters are rejected with 422. The health probes, the metrics, the public keys, this description and download links accept them, because monitors, caches and mail programs add parameters.

Errors are \`application/problem+json\` (RFC 9457). \`code\` is stable, \`action\` states how to fix the error, and \`errors\` lists every invalid part of the request.`;

/**
 * Serves the OpenAPI 3.1 document, generated from the schemas that validate requests, and its page at `/docs`. Call it
 * before routes are added.
 */
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
              "A token of this service, or an access token of its OpenID provider. `GET /service` states which. A service without sign-in needs no token.",
          },
          reviewerLink: {
            type: "http",
            scheme: "bearer",
            description: "The secret of a reviewer link: the part of its address after `#`.",
          },
        },
      },
    },
    convertConstToEnum: false,
    transform: (described) => describeRoute(described) as never,
    transformObject: (made) => finish(("openapiObject" in made ? made.openapiObject : {}) as Document) as never,
  });
  await server.register(swaggerUi, {
    routePrefix: `${basePath}/docs`,
    theme: { title: "Accession API" },
    uiConfig: { layout: "BaseLayout" },
    uiHooks: { onRequest: toPlainAddress(basePath) },
    // The usual policy, but with inline styles, which the library of this page uses.
    transformStaticCSP: (policy) => policy.replace(/style-src [^;]*/, "style-src 'self' 'unsafe-inline'"),
  });
}

/** Redirects addresses with a query to the plain one: the page's script derives the document's address from its own. */
function toPlainAddress(basePath: string): onRequestHookHandler {
  const page = `${basePath}/docs`;
  const addresses = [page, `${page}/`, `${page}/static/index.html`];
  return (request, reply, done) => {
    const [path = "", query] = request.url.split("?", 2);
    if (query === undefined || !addresses.includes(path)) done();
    else reply.redirect(`${page}/`);
  };
}
