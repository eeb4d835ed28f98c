import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifySchema } from "fastify";
import type { HttpContext, ProbeContext, Server } from "./context.ts";
import { guardedServer, type HttpOptions } from "./guarded.ts";
import { datasetExport } from "./routes/dataset-export.ts";
import { datasetFile } from "./routes/dataset-file.ts";
import { datasetFiles } from "./routes/dataset-files.ts";
import { datasetGet } from "./routes/dataset-get.ts";
import { datasetLinkset } from "./routes/dataset-linkset.ts";
import { datasetVersions } from "./routes/dataset-versions.ts";
import { datasetWithdraw } from "./routes/dataset-withdraw.ts";
import { exists } from "./routes/exists.ts";
import { health } from "./routes/health.ts";
import { metrics } from "./routes/metrics.ts";
import { s3check } from "./routes/s3check.ts";
import { s3checkReport } from "./routes/s3check-report.ts";
import { s3preview } from "./routes/s3preview.ts";
import { s3upload } from "./routes/s3upload.ts";
import { submissionCancel } from "./routes/submission-cancel.ts";
import { submissionCredentials } from "./routes/submission-credentials.ts";
import { submissionEvents } from "./routes/submission-events.ts";
import { submissionExclude } from "./routes/submission-exclude.ts";
import { submissionFiles } from "./routes/submission-files.ts";
import { submissionGet } from "./routes/submission-get.ts";
import { submissionList } from "./routes/submission-list.ts";
import { submissionReceipt } from "./routes/submission-receipt.ts";
import { submissionRetry } from "./routes/submission-retry.ts";
import { tokenCreate } from "./routes/token-create.ts";
import { tokenList } from "./routes/token-list.ts";
import { tokenRevoke } from "./routes/token-revoke.ts";
import { validate } from "./routes/validate.ts";
import { webhookCreate } from "./routes/webhook-create.ts";
import { webhookDelete } from "./routes/webhook-delete.ts";
import { webhookDeliveries } from "./routes/webhook-deliveries.ts";
import { webhookEnable } from "./routes/webhook-enable.ts";
import { webhookGet } from "./routes/webhook-get.ts";
import { webhookList } from "./routes/webhook-list.ts";
import { webhookReplay } from "./routes/webhook-replay.ts";
import { webhookRotate } from "./routes/webhook-rotate.ts";
import { wellKnown } from "./routes/well-known.ts";

/** All operations of the API; each is a file in `routes/`. */
const operations = [
  s3check,
  s3checkReport,
  s3preview,
  s3upload,
  validate,
  exists,
  submissionList,
  submissionGet,
  submissionFiles,
  submissionEvents,
  submissionCancel,
  submissionRetry,
  submissionCredentials,
  submissionExclude,
  submissionReceipt,
  datasetGet,
  datasetVersions,
  datasetFiles,
  datasetFile,
  datasetExport,
  datasetLinkset,
  datasetWithdraw,
  tokenCreate,
  tokenList,
  tokenRevoke,
  webhookCreate,
  webhookList,
  webhookGet,
  webhookDelete,
  webhookRotate,
  webhookEnable,
  webhookDeliveries,
  webhookReplay,
  health,
  metrics,
  wellKnown,
];

/** Builds the server; it does not listen yet. */
export async function buildServer(given: Omit<HttpContext, "limits">, options: HttpOptions): Promise<Server> {
  const { server, limits } = await guardedServer(given, options);
  const context = { ...given, limits };
  await describe(server, context);
  await server.register(
    async (scope) => {
      for (const operation of operations) operation(scope as Server, context);
    },
    { prefix: context.basePath },
  );
  return server;
}

/** Builds the server of a process that answers nothing but probes and monitoring. */
export async function buildProbes(context: ProbeContext, options: HttpOptions): Promise<Server> {
  const { server } = await guardedServer(context, options);
  health(server, context);
  metrics(server, context);
  return server;
}

/** Routers call the rest of a path `*`; descriptions have no such name. */
function withPath(schema: FastifySchema): FastifySchema {
  const { properties, ...params } = (schema?.params ?? {}) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  if (properties?.["*"] === undefined) return schema;
  const { "*": path, ...others } = properties;
  const required = params.required?.map((name) => (name === "*" ? "path" : name));
  return { ...schema, params: { ...params, properties: { ...others, path }, required } };
}

/** The API's description (OpenAPI 3.1), made from the same schemas that validate, and its page. */
async function describe(server: Server, context: HttpContext): Promise<void> {
  await server.register(swagger, {
    transform: ({ schema, url }) => ({ schema: withPath(schema), url: url.replace(/\*$/, ":path") }),
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Accession",
        version: context.version,
        description: "Takes custody of a dataset in an S3-compatible bucket.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
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
  });
  server.get(`${context.basePath}/openapi.json`, { schema: { hide: true } }, async () => server.swagger());
  await server.register(swaggerUi, {
    routePrefix: `${context.basePath}/docs`,
    theme: { title: "Accession: the API" },
    uiConfig: { layout: "BaseLayout" },
    staticCSP: true,
    // The page's own library writes styles into its elements.
    transformStaticCSP: (header) => header.replace(/style-src [^;]*/, "style-src 'self' 'unsafe-inline'"),
  });
  server.get(`${context.basePath}/`, { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect(`${context.basePath}/docs/`),
  );
}
