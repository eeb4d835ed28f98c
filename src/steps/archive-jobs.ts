import { uncatalogued } from "../db/catalogue/entries.ts";
import { searchOpenedFiles } from "../db/catalogue/searched.ts";
import { isAuditDue } from "../db/datasets/audits.ts";
import { unfinishedWithdrawals } from "../db/datasets/datasets.ts";
import { unfinishedRevisions } from "../db/datasets/revisions.ts";
import { dueReservations } from "../db/publication/doi-reservations.ts";
import { doisToCheck } from "../db/publication/dois.ts";
import { duePublications } from "../db/publication/publications.ts";
import { dueReviews } from "../db/publication/records.ts";
import { publicationKey, QUEUES } from "../domain/submission/queues.ts";
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
  defineJob(context, QUEUES.audit, (own, _: object, signal) => audit(own, plan.share, signal));
  defineJob(context, QUEUES.withdraw, (own, { dataset }: { dataset: string }) => withdrawDataset(own, dataset), {
    about: (data) => data,
  });
  defineJob(context, QUEUES.revise, (own, { revision }: { revision: string }) => revise(own, revision), {
    about: (data) => data,
  });
  defineJob(context, QUEUES.publish, continuePublication, {
    concurrency: PUBLICATIONS,
    about: ({ dataset }) => ({ dataset }),
  });
  defineJob(context, QUEUES.checkDoi, (own, { doi }: { doi: string }, signal) => checkDoi(own, doi, signal));
  defineJob(
    context,
    QUEUES.reserveDoi,
    (own, { doi }: { doi: string }, signal) => continueReservation(own, doi, signal),
    { concurrency: RESERVATIONS },
  );
  defineJob(context, QUEUES.checkAccount, checkAccount);
  defineJob(context, QUEUES.catalogue, (own, _: object, signal) => describePublications(own, signal));
  defineJob(context, QUEUES.discard, (own, { submission }: { submission: string }) => discardStaged(own, submission), {
    concurrency: DISCARDS,
    about: (data) => data,
  });
}

/** Queues the complete test of the account at DataCite, which creates and deletes a draft. For the start of a process. */
export async function queueAccountTest(context: StepContext): Promise<void> {
  if (context.publication.datacite === undefined) return;
  await queue(context, QUEUES.checkAccount, [[`${QUEUES.checkAccount} draft`, { draft: true }]]);
}

/**
 * Defines a queue. The reconciler finds failed work and queues it again.
 * @param about what log lines say about a job
 */
function defineJob<Data extends object>(
  context: StepContext,
  name: string,
  run: (context: StepContext, data: Data, signal: AbortSignal) => Promise<unknown>,
  { concurrency = 1, about = () => ({}) }: { concurrency?: number; about?: (data: Data) => About } = {},
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

/** Queues jobs by their keys, for workers to begin now. A job whose key is queued already is not queued again. */
async function queue(
  { jobs }: Pick<StepContext, "jobs">,
  name: string,
  entries: readonly (readonly [key: string, data: object])[],
): Promise<void> {
  if (entries.length === 0) return;
  await jobs.enqueueAll(
    name,
    entries.map(([key, data]) => ({ key, data })),
  );
  jobs.wake(name);
}

/** Queues what the tables list as due: the audit, and unfinished withdrawals and metadata revisions, and publications. */
export async function queueArchiveJobs(context: StepContext, { intervalMs }: AuditPlan): Promise<void> {
  const { db } = context;
  const withdrawn = await unfinishedWithdrawals(db);
  await queue(
    context,
    QUEUES.withdraw,
    withdrawn.map((dataset) => [dataset, { dataset }]),
  );
  const revisions = await unfinishedRevisions(db);
  await queue(
    context,
    QUEUES.revise,
    revisions.map((revision) => [revision, { revision }]),
  );
  const now = new Date();
  // Those with which the service must continue, and those of which the archive lacks a decision.
  const due = [...(await duePublications(db, now, MOST_QUEUED)), ...(await dueReviews(db, now, MOST_QUEUED))];
  const publications = new Map(
    due.map(({ dataset_id: dataset, version }) => [publicationKey(dataset, version), { dataset, version }]),
  );
  await queue(context, QUEUES.publish, [...publications]);
  await searchOpenedFiles(db);
  if ((await uncatalogued(db, 1)).length > 0) await queue(context, QUEUES.catalogue, [[QUEUES.catalogue, {}]]);
  await queueDoiJobs(context);
  if (intervalMs !== undefined && (await isAuditDue(db, intervalMs)))
    await queue(context, QUEUES.audit, [[QUEUES.audit, {}]]);
}

/** Interval between two comparisons of a DOI with DataCite. */
const DOI_CHECK_MS = 86_400_000;
const MOST_CHECKS = 100;

/** Comparisons of registered DOIs, and reserved DOIs. */
async function queueDoiJobs(context: StepContext): Promise<void> {
  const { db, publication } = context;
  if (publication.datacite === undefined) return;
  if (await isAccountCheckDue(context)) await queue(context, QUEUES.checkAccount, [[QUEUES.checkAccount, {}]]);
  const byDoi = ({ doi }: { doi: string }) => [doi, { doi }] as const;
  const due = await doisToCheck(db, { now: new Date(), intervalMs: DOI_CHECK_MS, limit: MOST_CHECKS });
  await queue(context, QUEUES.checkDoi, due.map(byDoi));
  await queue(context, QUEUES.reserveDoi, (await dueReservations(db, new Date(), MOST_QUEUED)).map(byDoi));
}
