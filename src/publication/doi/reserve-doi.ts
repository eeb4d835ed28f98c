import {
  abandonTaken,
  abandonUnneeded,
  awaitedSubmission,
  deleteAbandoned,
  isUnneeded,
  recordDraft,
  recordReservation,
} from "../../db/publication/doi-reservations.ts";
import { chooseDoi, type DoiRow, findDoi } from "../../db/publication/dois.ts";
import { continueAgain, publicationsOf } from "../../db/publication/publications.ts";
import { storeReviewSoon } from "../../db/publication/records.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { Problem } from "../../domain/problems.ts";
import type { StepContext } from "../../steps/context.ts";
import type { DataciteClient } from "../datacite/client.ts";
import { CONCEPT, randomSuffix } from "../rules/doi.ts";
import { doiReserved, reservationDelayed } from "../rules/events.ts";
import { canPass, isDelayed } from "../rules/publication.ts";
import { nextAttempt, registrationProblem } from "../service/attempts.ts";

/** Attempts after which a DOI that DataCite neither creates nor returns is regarded as one of another account. */
const ASKED = 6;

/**
 * Continues with a DOI that is not public: creates a reserved one at DataCite as a draft, which leads nowhere, or deletes the draft
 * of one that can never be published. May run again after any crash. A failure is recorded and tried again after a pause.
 */
export async function continueReservation(context: StepContext, name: string, signal: AbortSignal): Promise<void> {
  const { db, publication } = context;
  const doi = await findDoi(db, name);
  if (doi === undefined || publication.datacite === undefined) return;
  try {
    if (doi.state === "abandoned") {
      if (doi.next_at !== null) await publication.datacite.removeDraft(name, signal);
    } else if (await isUnneeded(db, name)) {
      return await endUnneeded(context, publication.datacite, doi, signal);
    } else if (!doi.reserved) {
      // The registration continues with it.
    } else if (doi.state === "chosen" && !name.startsWith(`${publication.datacite.prefix}/`)) {
      // The operator has changed the prefix.
      await replace(context, publication.datacite, doi);
    } else if (doi.state === "chosen") await createDraft(context, publication.datacite, doi, signal);
    await recordReservation(db, name, { next_at: null, attempts: 0, problem: null });
  } catch (error) {
    signal.throwIfAborted();
    await recordFailure(context, doi, error);
  }
}

/**
 * Abandons a DOI that can never be published, and then deletes its draft. If DataCite has registered it after all, the end of its
 * publication continues, which hides it.
 */
async function endUnneeded(
  { db, log }: StepContext,
  client: DataciteClient,
  doi: DoiRow,
  signal: AbortSignal,
): Promise<void> {
  const { dataset_id, version, attempts } = doi;
  const found = doi.sent_sha256 === null ? undefined : await client.get(doi.doi, signal);
  const isForeign = found !== undefined && !client.owns(found);
  if (found !== undefined && found.state !== "draft" && !isForeign) {
    const row = (await publicationsOf(db, dataset_id)).find((one) => version === CONCEPT || one.version === version);
    if (row !== undefined) await continueAgain(db, row);
    const next_at = nextAttempt(attempts + 1);
    return recordReservation(db, doi.doi, { next_at, attempts: attempts + 1, problem: null });
  }
  // If it is needed by now, or was sent by another attempt, it is decided again.
  if (!(await abandonUnneeded(db, doi, !isForeign))) return;
  if (isForeign) return;
  await client.removeDraft(doi.doi, signal);
  log.info({ doi: doi.doi }, "the draft of a DOI that can never be published was deleted");
  await recordReservation(db, doi.doi, { next_at: null, attempts: 0, problem: null });
}

async function createDraft(
  context: StepContext,
  client: DataciteClient,
  doi: DoiRow,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(doi.doi, {}, undefined, signal);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "doi_taken") throw error;
    // An earlier request of ours may have been processed after all: then it has no address yet.
    const found = await client.get(doi.doi, signal);
    // DataCite can return a DOI some time after it was created, so that it can be ours nevertheless.
    if (found === undefined && doi.attempts < ASKED) {
      const detail = `DataCite reports that the DOI ${doi.doi} exists, but does not return it yet`;
      throw new Problem("datacite_unreachable", detail, { cause: error });
    }
    const isOurs = found !== undefined && client.owns(found) && found.state === "draft" && found.url === undefined;
    if (!isOurs) return replace(context, client, doi);
  }
  await context.db.transaction().execute(async (trx) => {
    if (!(await recordDraft(trx, doi.doi))) return deleteAbandoned(trx, doi.doi);
    await storeReviewSoon(trx, doi);
    const submission = await awaitedSubmission(trx, doi.dataset_id, doi.version);
    if (submission === undefined) return;
    await addEvent(trx, submission, doiReserved({ dataset: doi.dataset_id, version: doi.version, doi: doi.doi }));
  });
}

/** Chooses another DOI for the same version. Nobody has seen the first one, because only drafts of ours are shown. */
async function replace({ db, log }: StepContext, { prefix }: DataciteClient, taken: DoiRow): Promise<void> {
  const { doi, dataset_id, version } = taken;
  await db.transaction().execute(async (trx) => {
    // If the registration has sent the DOI in the meantime, it is ours, and the registration continues with it.
    if (!(await abandonTaken(trx, taken))) return;
    log.warn({ doi }, "the DOI belongs to another dataset; the service reserves another one");
    const chosen = { doi: `${prefix}/${randomSuffix()}`, dataset_id, version, reserved: true, next_at: new Date() };
    if (!(await chooseDoi(trx, chosen))) throw new Error("The chosen DOI is in use; the job tries again");
    await storeReviewSoon(trx, taken);
  });
}

/** Records why the DOI is not reserved, and when the service tries again. The party that must act is told once of a cause. */
async function recordFailure({ db, log }: StepContext, row: DoiRow, error: unknown): Promise<void> {
  const { doi, dataset_id: dataset, version, state, attempts } = row;
  const problem = registrationProblem(error, "An internal error delays the reservation of the DOI", row.problem);
  log.warn({ err: error, doi, code: problem.code }, "the DOI cannot be reserved; the service tries again");
  const { since, code } = problem;
  // A cause that needs a person is told even if another one was told before.
  const isTold = row.failure_told && (code === row.problem?.code || canPass(code));
  const isDue = state === "chosen" && !isTold && isDelayed(problem, new Date());
  await db.transaction().execute(async (trx) => {
    const failure = { problem, failure_told: isTold || isDue };
    const next_at = nextAttempt(attempts + 1);
    await recordReservation(trx, doi, { next_at, attempts: attempts + 1, ...failure });
    const submission = isDue ? await awaitedSubmission(trx, dataset, version) : undefined;
    if (submission === undefined) return;
    await addEvent(trx, submission, reservationDelayed({ dataset, version, doi, since }, problem));
  });
}
