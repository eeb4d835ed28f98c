import type { PeriodicLock } from "../db/coordination/periodic-lock.ts";
import type { Queries } from "../db/database.ts";
import type { SignInMethod } from "../db/publication/curators.ts";
import type { Vault } from "../domain/source-access/vault.ts";
import type { MailLanguage } from "../domain/submission/mail-preference.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Observers } from "../platform/telemetry/job.ts";
import type { Egress } from "../source/s3/transport/egress.ts";
import type { Mailer } from "./mail/mailer.ts";

/** Dependencies of the notification jobs. */
export interface NotifyContext extends Observers {
  db: Queries;
  jobs: Jobs;
  /** The egress rules that also apply to submitters' buckets. */
  egress: Egress;
  vault: Vault;
  /** Undefined if the service sends no mail. */
  mailer: Mailer | undefined;
  /** Addresses that the operator has configured for curators and operators. */
  /** The language of mails. */
  mailLanguage: MailLanguage;
  shared: { curators: readonly string[]; operators: readonly string[] };
  /** How people sign in: it decides who is still a curator. */
  signIn: SignInMethod;
  /** Lets only one of several processes queue notifications at a time. */
  periodicLock: PeriodicLock;
  /** The service's own URL with its base path, for links. It is final once the service listens. */
  publicBaseUrl: () => string;
  version: string;
}
