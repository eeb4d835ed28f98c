import type { KeptCounts } from "../db/catalogue/kept-counts.ts";
import type { Queries } from "../db/database.ts";
import type { SharedReads } from "../db/shared-reads.ts";
import type { Documents } from "../db/submissions/documents.ts";
import type { SubmissionRow } from "../db/submissions/submissions.ts";
import type { Publisher } from "../describe/formats/export-input.ts";
import type { Code, Problem } from "../domain/problems.ts";
import type { MailLanguage } from "../domain/submission/mail-preference.ts";
import type { ExportThreads } from "../export/export-threads.ts";
import type { IntakeContext } from "../intake/context.ts";
import type { Authenticate } from "../people/authenticate.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import type { Tracing } from "../platform/telemetry/tracing.ts";
import type { Branding } from "../public/site/branding.ts";
import type { TextRenderer } from "../public/site/markdown/text-renderer.ts";
import type { AccountStep } from "../publication/rules/account-test.ts";
import type { DepositAgreement } from "../publication/rules/deposit-agreement.ts";
import type { ReplyTemplate } from "../publication/rules/reply-templates.ts";
import type { PublicationMode } from "../publication/rules/states.ts";
import type { Batches } from "../uploads/batch/batches.ts";
import type { Receiver } from "../uploads/receiver.ts";
import type { TitledUploads } from "../uploads/titled/titled-uploads.ts";
import type { ArchivedCache } from "./dataset/archived-cache.ts";
import type { Limits } from "./requests/limits.ts";
import type { AccessRechecks } from "./responses/access-rechecks.ts";
import type { WatchedSubmissions } from "./responses/watched-submissions.ts";
import type { LandingCache } from "./site/landing-cache.ts";
import type { GrantUseRecorder } from "./usage/grant-use-recorder.ts";
import type { UsageRecorder } from "./usage/usage-recorder.ts";

/** The context of the routes for probes and monitoring, which every process serves. */
export interface ProbeContext {
  db: Queries;
  /** What is wrong with the archive; undefined if nothing is. */
  archiveProblem: () => Promise<Problem | undefined>;
  authenticate: Authenticate;
  /** Prefix of every path; empty for none. */
  basePath: string;
  metrics: Metrics;
  tracing: Tracing;
  /** Aborted when the service stops, which ends the streams that have no other end. */
  stopping: AbortSignal;
}

/** The sign-in method, as the web page needs it. */
export type SignIn =
  | { method: "none" | "tokens" }
  | { method: "oidc"; issuer: string; clientId: string | null; scope: string; resource: string | null };

/** The context of all routes. */
export interface HttpContext extends ProbeContext {
  submissions: SharedReads<SubmissionRow | undefined>;
  documents: SharedReads<Documents>;
  landings: LandingCache;
  counts: KeptCounts;
  archived: ArchivedCache;
  /** Renders text files of datasets. */
  texts: TextRenderer;
  /** The submissions that event streams follow. */
  watched: WatchedSubmissions;
  /** Ends responses whose readers lose access. */
  access: AccessRechecks;
  intake: IntakeContext;
  /** Receives files; undefined if the service accepts no uploads. */
  receiver: Receiver | undefined;
  /** Receives many small files at once; undefined as well. */
  batches: Batches | undefined;
  /** Receives files one by one under a title; undefined as well. */
  titled: TitledUploads | undefined;
  /** Reads archived files and exports. */
  exports: ExportThreads;
  limits: Limits;
  /** Set if callers sign in with tokens of this service. */
  tokens: { removeFirstAdminToken(): Promise<void> } | undefined;
  /** The service's own origin, without its base path. */
  publicUrl(): string;
  /** How callers sign in. */
  signIn: SignIn;
  /** The operator's choices about e-mail; undefined if the service sends none. */
  mail:
    | {
        language: MailLanguage;
        /** Whether addresses of curators are configured. */
        curators: boolean;
      }
    | undefined;
  /** Origins of the identity provider, which the page calls directly; empty without a provider. */
  providerOrigins(): Promise<readonly string[]>;
  /** The folder of the built page; undefined if the routes are only described and never called. */
  pageFolder: string | undefined;
  /** The publisher in exports. */
  publisher: Publisher;
  /** How the operator wants the public pages to look. */
  branding: Branding;
  /** Whether datasets are published and reviewed, and the deposit agreement. */
  publication: {
    mode: "off" | PublicationMode;
    agreements: readonly DepositAgreement[];
    /** Prepared texts for the comments of curators. */
    replyTemplates: readonly ReplyTemplate[];
    registersDois: boolean;
    /** Days after which the party that must act is reminded; 0 for no reminders. */
    reminderDays: number;
    /** Whether curators may approve their own datasets and edits. */
    selfApproval: boolean;
  };
  /** Tests the account at DataCite, and records the result; undefined if the service registers no DOIs. */
  testAccount: ((signal: AbortSignal) => Promise<AccountStep[]>) | undefined;
  /** Counts uses of published datasets; undefined if the operator has switched that off. */
  usage: UsageRecorder | undefined;
  /** Records what is read with grants of access. */
  grantUses: GrantUseRecorder;
  jwks: object;
  version: string;
  /** The commit from which the program was built; null if it is not known. */
  commit: string | null;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body is of any size, and read while it arrives. */
    streamed?: true;
    /** Its clients do not repeat refused requests: instead of being refused by the general limits, requests of one caller wait for each other. */
    waiting?: true;
    /** The operation returns errors as one sentence in plain text. */
    textErrors?: true;
    /** Problem codes of this operation, in addition to those of all similar routes (`openapi/codes.ts`). */
    problems?: readonly Code[];
  }
}
