import { uncatalogued } from "../db/catalogue/entries.ts";
import { isAuditDue } from "../db/datasets/audits.ts";
import { unfinishedWithdrawals } from "../db/datasets/datasets.ts";
import { unfinishedRevisions } from "../db/datasets/revisions.ts";
import { dueReservations } from "../db/publication/doi-reservations.ts";
import { doisToCheck } from "../db/publication/dois.ts";
import { duePublications } from "../db/publication/publications.ts";
import { dueReviews } from "../db/publication/records.ts";
import { QUEUES } from "../domain/queues.ts";
import type { About } from "../platform/telemetry/job.ts";
import { checkAccount, isAccountCheckDue } from "../publication/doi/check-account.ts";
import { checkDoi } from "../publication/doi/check-doi.ts";
import { continueReservation } from "../publication/doi/reserve-doi.ts";
import { continuePublication } from "../publication/service/continue-publication.ts";
import { audit } from "./audit/audit.ts";
import { describePublications } from "./catalogue/catalogue.ts";
import type { StepContext } from "./context.ts";
import { discardStaged } from "./discard-staging.ts";
import { observed } from "./observe.ts";
import { revise } from "./revise/revise.ts";
import { withdrawDataset } from "./withdraw.ts";

/** The interval between audit runs (undefined: no audits), and the part of the archive that a run reads. */
export interface AuditPlan {
  intervalMs: number | undefined;
  share: number;
}

/** Parallel removals, so that a large one does not delay small ones. */
const DISCARDS = 2;

/** Parallel publications of a process. They spend most of their time waiting for DataCite. */
const PUBLICATIONS = 8;
const RESERVATIONS = 4;
/** Maximum number of publications queued in one round; the next round queues more. */
const MOST_QUEUED = 500;

/** Defines the jobs that belong to no attempt: audits, withdrawals, metadata revisions, and the removal of staged files. */
export function defineArchiveJobs(context: StepContext, plan: AuditPlan): void {
  defineJob<object>(
    context,
    QUEUES.audit,
    1,
    () => ({}),
    (own, _, signal) => audit(own, plan.share, signal),
  );
  defineJob<{ dataset: string }>(
    context,
    QUEUES.withdraw,
    1,
    (data) => data,
    (own, { dataset }) => withdrawDataset(own, dataset),
  );
  defineJob<{ revision: string }>(
    context,
    QUEUES.revise,
    1,
    ({ revision }) => ({ revision }),
    (own, { revision }) => revise(own, revision),
  );
  defineJob<{ dataset: string; version: number }>(
    context,
    QUEUES.publish,
    PUBLICATIONS,
    ({ dataset }) => ({ dataset }),
    (own, which, signal) => continuePublication(own, which, signal),
  );
  defineJob<{ doi: string }>(
    context,
    QUEUES.checkDoi,
    1,
    () => ({}),
    (own, { doi }, signal) => checkDoi(own, doi, signal),
  );
  defineJob<{ doi: string }>(
    context,
    QUEUES.reserveDoi,
    RESERVATIONS,
    () => ({}),
    (own, { doi }, signal) => continueReservation(own, doi, signal),
  );
  defineJob<{ draft?: boolean }>(
    context,
    QUEUES.checkAccount,
    1,
    () => ({}),
    async (own, data, signal) => {
      await checkAccount(own, data, signal);
    },
  );
  defineJob<object>(
    context,
    QUEUES.catalogue,
    1,
    () => ({}),
    (own, _, signal) => describePublications(own, signal),
  );
  defineJob<{ submission: string }>(
    context,
    QUEUES.discard,
    DISCARDS,
    (data) => data,
    (own, { submission }) => discardStaged(own, submission),
  );
}

/** Queues the complete test of the account at DataCite, which creates and deletes a draft. For the start of a process. */
export async function queueAccountTest({ jobs, publication }: StepContext): Promise<void> {
  if (publication.datacite === undefined) return;
  await jobs.enqueue(QUEUES.checkAccount, { key: `${QUEUES.checkAccount} draft`, data: { draft: true } });
  jobs.wake(QUEUES.checkAccount);
}

/** Defines a queue. The reconciler finds failed work and queues it again. */
function defineJob<Data extends object>(
  context: StepContext,
  name: string,
  concurrency: number,
  about: (data: Data) => About,
  run: (context: StepContext, data: Data, signal: AbortSignal) => Promise<void>,
): void {
  context.jobs.define<Data>({
    name,
    concurrency,
    about,
    run: (job) =>
      observed(context, name, job, about, async (own) => {
        await run(own, job.data, job.signal);
        return undefined;
      }),
    exhausted: async () => undefined,
  });
}

/** Queues what the tables list as due: the audit, and unfinished withdrawals and metadata revisions, and publications. */
export async function queueArchiveJobs(context: StepContext, { intervalMs }: AuditPlan): Promise<void> {
  for (const dataset of await unfinishedWithdrawals(context.db)) {
    await context.jobs.enqueue(QUEUES.withdraw, { key: dataset, data: { dataset } });
    context.jobs.wake(QUEUES.withdraw);
  }
  for (const revision of await unfinishedRevisions(context.db)) {
    await context.jobs.enqueue(QUEUES.revise, { key: revision, data: { revision } });
    context.jobs.wake(QUEUES.revise);
  }
  await queuePublications(context);
  if ((await uncatalogued(context.db, 1)).length > 0) {
    await context.jobs.enqueue(QUEUES.catalogue, { key: QUEUES.catalogue, data: {} });
    context.jobs.wake(QUEUES.catalogue);
  }
  await queueDoiJobs(context);
  if (intervalMs === undefined || !(await isAuditDue(context.db, intervalMs))) return;
  await context.jobs.enqueue(QUEUES.audit, { key: QUEUES.audit, data: {} });
  context.jobs.wake(QUEUES.audit);
}

/** Queues the publications with which the service must continue, and those of which the archive lacks a decision. */
async function queuePublications({ db, jobs }: StepContext): Promise<void> {
  const now = new Date();
  const due = [...(await duePublications(db, now, MOST_QUEUED)), ...(await dueReviews(db, now, MOST_QUEUED))];
  const keys = new Map(due.map(({ dataset_id: dataset, version }) => [`${dataset} ${version}`, { dataset, version }]));
  if (keys.size === 0) return;
  await jobs.enqueueAll(
    QUEUES.publish,
    [...keys].map(([key, data]) => ({ key, data })),
  );
  jobs.wake(QUEUES.publish);
}

/** Interval between two comparisons of a DOI with DataCite. */
const DOI_CHECK_MS = 86_400_000;
const MOST_CHECKS = 100;

/** Comparisons of registered DOIs, and reserved DOIs. */
async function queueDoiJobs(context: StepContext): Promise<void> {
  const { db, jobs, publication } = context;
  if (publication.datacite === undefined) return;
  if (await isAccountCheckDue(context)) {
    await jobs.enqueue(QUEUES.checkAccount, { key: QUEUES.checkAccount, data: {} });
    jobs.wake(QUEUES.checkAccount);
  }
  const due = await doisToCheck(db, { now: new Date(), intervalMs: DOI_CHECK_MS, limit: MOST_CHECKS });
  await jobs.enqueueAll(
    QUEUES.checkDoi,
    due.map(({ doi }) => ({ key: doi, data: { doi } })),
  );
  if (due.length > 0) jobs.wake(QUEUES.checkDoi);
  const reservations = await dueReservations(db, new Date(), MOST_QUEUED);
  await jobs.enqueueAll(
    QUEUES.reserveDoi,
    reservations.map(({ doi }) => ({ key: doi, data: { doi } })),
  );
  if (reservations.length > 0) jobs.wake(QUEUES.reserveDoi);
}
