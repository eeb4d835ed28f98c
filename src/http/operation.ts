import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from "fastify";
import type { Static, TSchema } from "typebox";
import type { Code } from "../domain/problems.ts";
import type { HttpContext, ProbeContext } from "./context.ts";
import type { Server } from "./fastify.ts";
import { DOCUMENTATION, type ResponseDocumentation } from "./openapi/response-documentation.ts";

/** What an operation takes and returns, by its place in the request, and by the status of a successful response. */
interface Schemas {
  params: TSchema;
  querystring: TSchema;
  headers: TSchema;
  body: TSchema;
  response: Record<number, TSchema>;
}

/** The function of a route with these schemas. */
type Handler<Own extends Schemas> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  ContextConfigDefault,
  Own,
  TypeBoxTypeProvider,
  FastifyBaseLogger
>;

/** An operation of the API: its description, what it takes and returns, and what it does. */
interface Operation<Context, Own extends Schemas> {
  /** Method and path, as in the table of `people/route-permissions.ts`. */
  route: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  /** Problem codes of this operation, in addition to those of all similar ones (`openapi/codes.ts`). */
  problems?: readonly Code[];
  config?: Pick<FastifyContextConfig, "anyQuery" | "textErrors" | "streamed" | "waiting" | "onlyReads">;
  options?: Pick<RouteShorthandOptions, "bodyLimit" | "exposeHeadRoute" | "validatorCompiler">;
  consumes?: string[];
  params?: Own["params"];
  querystring?: Own["querystring"];
  headers?: Own["headers"];
  body?: Own["body"];
  /** The successful responses. If there is only one, a returned value is sent with its status. */
  response: Own["response"];
  handler: (context: Context, ...of: Parameters<Handler<Own>>) => ReturnType<Handler<Own>>;
}

/** Declares an operation. Returns the function that adds it to a server. */
export function operation<
  Params extends TSchema,
  Query extends TSchema,
  Headers extends TSchema,
  Body extends TSchema,
  const Response extends Record<number, TSchema>,
  Context extends ProbeContext = HttpContext,
>(
  declared: Operation<
    Context,
    { params: Params; querystring: Query; headers: Headers; body: Body; response: Response }
  >,
): (server: Server, context: Context) => void {
  const { route, tag, problems = [], config, options, handler, ...schema } = declared;
  const [method = "", url = ""] = route.split(" ");
  const [status = 200, ...others] = Object.keys(schema.response).map(Number);
  return (server, context) => {
    server.route({
      ...options,
      method,
      url,
      config: { ...config, problems },
      schema: { ...schema, tags: [tag] } as FastifySchema,
      handler: async (request, reply) => {
        if (others.length === 0) reply.code(status);
        return handler(context, request as never, reply as never);
      },
    });
  };
}

/** Adds documentation to a response schema of an operation. It does not change the response. */
export function documented<Schema extends TSchema>(schema: Schema, about: ResponseDocumentation): Schema {
  return { ...schema, [DOCUMENTATION]: about };
}

/** Adds an example to the schema of a request body. Tests send the example to a running service. */
export function withExample<Schema extends TSchema>(schema: Schema, example: Static<Schema>): Schema {
  return { ...schema, examples: [example] };
}
