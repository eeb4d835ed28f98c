import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyBaseLogger, type FastifyRequest, type FastifySchema, LogController } from "fastify";
import { guardAccess } from "./access.ts";
import { answerErrors } from "./answers.ts";
import { BODY_BYTES, readBodies } from "./bodies.ts";
import { answerBroken, connectionLimits, limitConnections } from "./connections.ts";
import type { HttpContext, Server } from "./context.ts";
import { type RateLimits, rateLimits } from "./limits.ts";
import { guardOrigins, type OriginRules } from "./origin.ts";
import { datasetExport } from "./routes/dataset-export.ts";
import { datasetFile } from "./routes/dataset-file.ts";
import { datasetFiles } from "./routes/dataset-files.ts";
import { datasetGet } from "./routes/dataset-get.ts";
import { datasetLinkset } from "./routes/dataset-linkset.ts";
import { datasetVersions } from "./routes/dataset-versions.ts";
import { datasetWithdraw } from "./routes/dataset-withdraw.ts";
import { exists } from "./routes/exists.ts";
import { health } from "./routes/health.ts";
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
import { validateBySchema } from "./validation.ts";

export interface HttpOptions {
  origin: OriginRules;
  trustedProxies: string[];
  rateLimits: RateLimits;
  logger: FastifyBaseLogger;
}

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
  wellKnown,
];

/** Builds the server; it does not listen yet. */
export async function buildServer(given: Omit<HttpContext, "limits">, options: HttpOptions): Promise<Server> {
  const server: Server = fastify({
    loggerInstance: options.logger,
    bodyLimit: BODY_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    forceCloseConnections: true,
    ...connectionLimits,
    clientErrorHandler: answerBroken,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2_048 },
    logController: new LogController({ disableRequestLogging: true }),
  }).withTypeProvider<TypeBoxTypeProvider>();
  limitConnections(server, options.trustedProxies);
  validateBySchema(server);
  answerErrors(server);
  await securityHeaders(server);
  await guardOrigins(server, options.origin);
  await readBodies(server);
  const context = { ...given, limits: await rateLimits(server, options.rateLimits) };
  guardAccess(server, context);
  server.addHook("onResponse", async (request, reply) => {
    const milliseconds = Math.round(reply.elapsedTime);
    const fields = {
      method: request.method,
      ...whatWasAsked(request),
      status: reply.statusCode,
      milliseconds,
      ...(request.caller !== null && { caller: request.caller.owner }),
    };
    // People and pages that watch a submission ask several times a second.
    if (request.method === "GET" && reply.statusCode < 400) request.log.debug(fields, "answered");
    else request.log.info(fields, "answered");
  });
  await describe(server, context);
  await server.register(
    async (scope) => {
      for (const operation of operations) operation(scope as Server, context);
    },
    { prefix: context.basePath },
  );
  return server;
}

async function securityHeaders(server: Server): Promise<void> {
  await server.register(helmet, {
    crossOriginResourcePolicy: false,
    // Whether there is TLS is the reverse proxy's to say.
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
      },
    },
  });
  // What is answered is for one caller, and may be of another one a moment later.
  server.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
}

/** The operation and its submission or dataset. Never the path as sent: whatever was pasted there would be logged. */
function whatWasAsked({ routeOptions, params }: FastifyRequest): { route: string | undefined; id?: string } {
  const { id } = (params ?? {}) as { id?: string };
  return { route: routeOptions.url, ...(id !== undefined && UUID.test(id) && { id }) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
