import { oneAtATime } from "../db/coordination/one-at-a-time.ts";
import { LocalPeriodicLock, type PeriodicLock, SharedPeriodicLock } from "../db/coordination/periodic-lock.ts";
import { maintainEmbedded } from "../db/maintenance.ts";
import type { NotifyContext } from "../notify/context.ts";
import { Mailer } from "../notify/mail/mailer.ts";
import { defineNotificationJobs, queueDueNotifications } from "../notify/notification-jobs.ts";
import { Sources } from "../source/sources.ts";
import { queueAccountTest } from "../steps/archive-jobs.ts";
import type { StepContext } from "../steps/context.ts";
import { defineSteps } from "../steps/index.ts";
import { Reconciler } from "../steps/reconcile.ts";
import type { ServiceContext } from "./context.ts";

const STOP_GRACE_MS = 8_000;

/**
 * Defines the queues. Unless this process only answers requests (`config.role` is `api`), starts the workers and the
 * reconciler, which queues the work that the tables list as due.
 */
export async function startWork(context: ServiceContext): Promise<void> {
  const { config, database, jobs, archive, closers, log } = context;
  const { embedded } = database;
  const periodicLock = embedded ? new LocalPeriodicLock() : new SharedPeriodicLock(database.queries);
  const steps = stepContext(context);
  const notify = notifyContext(context, periodicLock);
  defineSteps(steps, config.audit);
  defineNotificationJobs(notify);
  // Two processes that create pg-boss’s tables at the same time can conflict in spite of its own lock.
  await oneAtATime(database, "jobs", () => jobs.open());
  closers.add(() => jobs.stop(STOP_GRACE_MS));
  // Only one process has the data folder, so jobs that an earlier process left running would never be retried.
  if (embedded) await jobs.forget();
  if (config.role === "api") return;
  const reconciler = new Reconciler(steps, {
    retentionMs: config.failedRetentionMs,
    audits: config.audit,
    periodicLock,
    queueNotices: () => queueDueNotifications(notify),
    ...(embedded && { maintain: () => maintainEmbedded(database.queries) }),
  });
  await reconciler.start();
  closers.add(() => reconciler.stop());
  jobs.work();
  queueAccountTest(steps).catch((error: unknown) =>
    log.warn({ err: error }, "cannot queue the test of the DataCite account; “accession doi test” runs it"),
  );
  archive.store
    .removeLeftovers()
    .catch((error: unknown) => log.warn({ err: error }, "cannot delete discarded files; the next start will retry"));
}

function stepContext(context: ServiceContext): StepContext {
  const { config, database, archive, address } = context;
  const { jobs, transfers, uploads, scratch, vault, signingKey, log, metrics, tracing } = context;
  return {
    ...{ jobs, transfers, uploads, scratch, vault, signingKey, log, metrics, tracing },
    db: database.queries,
    store: archive.store,
    sources: new Sources(context.egress),
    reportOlderDatabase: database.reportOlder,
    publisher: config.publisher,
    quota: config.quota,
    publicUrl: () => address.publicUrl,
    publication: {
      datacite: context.datacite,
      mode: config.publication.mode,
      conceptDois: config.publication.conceptDois,
      baseUrl: () => publicBaseUrlOf(context),
      reminderDays: config.publication.mode === "off" ? 0 : config.publication.reminderDays,
    },
    publicBaseUrl: config.publicUrl === undefined ? undefined : publicBaseUrlOf(context),
  };
}

function notifyContext(context: ServiceContext, periodicLock: PeriodicLock): NotifyContext {
  const { config, database, version, jobs, egress, vault, log, metrics, tracing } = context;
  return {
    ...{ version, jobs, egress, vault, log, metrics, tracing, periodicLock },
    db: database.queries,
    mailer: config.mail === undefined ? undefined : new Mailer(config.mail),
    signIn: config.auth,
    mailLanguage: config.mail?.language ?? "en",
    shared: { curators: config.mail?.curators ?? [], operators: config.mail?.operators ?? [] },
    publicBaseUrl: () => publicBaseUrlOf(context),
  };
}

function publicBaseUrlOf({ address, config }: ServiceContext): string {
  return `${address.publicUrl}${config.basePath}`;
}
