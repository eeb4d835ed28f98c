import type { Authenticate } from "../auth/authenticate.ts";
import type { Queries } from "../db/database.ts";
import type { Notifications } from "../db/notifications/notifications.ts";
import type { SharedReads } from "../db/shared-reads.ts";
import type { Documents } from "../db/submissions/documents.ts";
import type { SubmissionRow } from "../db/submissions/submissions.ts";
import type { Code } from "../domain/problems.ts";
import type { Publisher } from "../export/described.ts";
import type { ExportThreads } from "../export/export-threads.ts";
import type { IntakeContext } from "../intake/context.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { Limits } from "./requests/limits.ts";

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
  notifications: Notifications;
  intake: IntakeContext;
  /** Hands out what the archive holds. */
  exports: ExportThreads;
  limits: Limits;
  /** Set where callers sign in with tokens of this service. */
  tokens: { removeFirstAdminToken(): Promise<void> } | undefined;
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
