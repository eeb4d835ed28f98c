import type { PeriodicLock } from "../db/coordination/periodic-lock.ts";
import type { Queries } from "../db/database.ts";
import type { Vault } from "../domain/vault.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Egress } from "../source/transport/egress.ts";
import type { Observers } from "../telemetry/job.ts";
import type { Mailer } from "./mail/mailer.ts";

/** What telling others is given. */
export interface NotifyContext extends Observers {
  db: Queries;
  jobs: Jobs;
  /** The same way out, and the same guard, as to callers' buckets. */
  egress: Egress;
  vault: Vault;
  /** Undefined where no mail is sent. */
  mailer: Mailer | undefined;
  /** Decides which of several processes does this. */
  periodicLock: PeriodicLock;
  /** The service's own address with its base path, for links; known for sure once the service listens. */
  publicBaseUrl: () => string;
  version: string;
}
