import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from "fastify";
import type { Authenticate } from "../auth/authenticate.ts";
import type { Documents } from "../db/documents.ts";
import type { Bell } from "../db/notifications/notifications.ts";
import type { Queries } from "../db/open.ts";
import type { SharedReads } from "../db/shared-reads.ts";
import type { SubmissionRow } from "../db/submissions.ts";
import type { Code } from "../domain/problems.ts";
import type { Publisher } from "../export/described.ts";
import type { ExportThreads } from "../export/threads.ts";
import type { IntakeContext } from "../intake/context.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { callerOf } from "./requests/access.ts";
import type { Limits } from "./requests/limits.ts";

/** A connection, or the answer on one. */
type Closable = EventEmitter & { readonly closed: boolean; readonly destroyed: boolean };

/** Calls a function once at the end of something; immediately if that end has passed. */
export type Closing = (run: () => void) => void;

/** The server as routes see it. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What probes and monitoring are answered from, by whatever process. */
export interface ProbeContext {
  db: Queries;
  authenticate: Authenticate;
  /** Prefix of every path; empty for none. */
  basePath: string;
  metrics: Metrics;
  tracing: Tracing;
  /** Aborted when the service stops: streams that would go on for ever end then. */
  stopping: AbortSignal;
}

/** How callers sign in, as far as a page has to know. */
export type SignIn =
  | { method: "none" | "tokens" }
  | { method: "oidc"; issuer: string; clientId: string | null; scope: string; resource: string | null };

/** What the routes are given. */
export interface HttpContext extends ProbeContext {
  submissions: SharedReads<SubmissionRow | undefined>;
  documents: SharedReads<Documents>;
  /** Tells of submissions that have changed, in whatever process. */
  bell: Bell;
  intake: IntakeContext;
  /** Hands out what the archive holds. */
  exports: ExportThreads;
  limits: Limits;
  /** Set where callers sign in with tokens of this service. */
  tokens: { closeFirstAdminDoor(): Promise<void> } | undefined;
  /** The service's own origin, without its base path. */
  publicUrl(): string;
  /** How callers sign in. */
  signIn: SignIn;
  /** Of the identity provider, to which the page speaks itself; none where there is no provider. */
  providerOrigins(): Promise<readonly string[]>;
  /** Where the page was built to; undefined where routes are described and never called. */
  pageFolder: string | undefined;
  /** Whom exports name as the publisher. */
  publisher: Publisher;
  jwks: object;
  version: string;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Every error of this operation is answered as one sentence in plain text (CONTRACT 3.1). */
    textErrors?: true;
    /** Codes that this operation can answer besides those of every route like it (`openapi/codes.ts`). */
    problems?: readonly Code[];
  }
}

/** Aborted when the client disconnects before the answer is sent; already aborted if it has. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  closing(reply.raw)(() => gone.abort(new Error("The client disconnected")));
  return gone.signal;
}

/** The close of a connection or answer. After an `await` it can have closed, and `close` is emitted only once. */
export function closing(until: Closable): Closing {
  return (run) => {
    if (until.closed || until.destroyed) run();
    else until.once("close", run);
  };
}

/** To be asked before the service calls an endpoint that the caller names. @throws Problem `rate_limited` */
export async function callAt(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: string,
): Promise<void> {
  await context.limits.target(request, reply, callerOf(request).owner, endpoint);
}
