import { differencesFrom } from "../../datacite/differences.ts";
import { type DoiRow, findDoi, updateDoi } from "../../db/publication/dois.ts";
import { publicationsOf } from "../../db/publication/publications.ts";
import type { StepContext } from "../../steps/context.ts";
import { CONCEPT } from "../rules/doi.ts";
import type { RegistrationProblem } from "../rules/publication.ts";
import { pauseAfter, registrationProblem } from "../service/attempts.ts";
import { requireValid, type WantedDoi, wantedDoi } from "./wanted-doi.ts";

/** The name of the difference if DataCite does not have the DOI. */
const MISSING = "doi";

/**
 * Compares a registered DOI with DataCite: its state, its address and its metadata. Someone with the same account, or an
 * error, can have changed them. Differences are recorded; they are corrected only on request, because they can be intended.
 * A failure is recorded with its cause, and the comparison is repeated after a pause.
 */
export async function checkDoi(context: StepContext, name: string, signal: AbortSignal): Promise<void> {
  const { db, publication } = context;
  const doi = await findDoi(db, name);
  if (publication.datacite === undefined || doi === undefined || doi.state !== "findable") return;
  try {
    // What is being changed by a publication is compared afterwards.
    const pending = await pendingChange(context, doi);
    if (pending !== undefined) return await postpone(context, doi, pending.problem);
    const differences = await compareAndRepair(context, doi, signal);
    const checked = { checked_at: new Date(), differences, repair: false };
    await updateDoi(db, name, { ...checked, next_at: null, attempts: 0, problem: null });
  } catch (error) {
    signal.throwIfAborted();
    const problem = registrationProblem(error, "An internal error prevents the comparison with DataCite");
    await postpone(context, doi, problem, error);
  }
}

/** A publication whose changes DataCite does not have yet, first one with a problem; undefined if there is none. */
async function pendingChange(
  { db }: StepContext,
  { dataset_id, version: of }: DoiRow,
): Promise<{ problem: RegistrationProblem | null } | undefined> {
  const rows = await publicationsOf(db, dataset_id);
  const pending = rows.filter(({ version, next_at }) => (of === CONCEPT || of === version) && next_at !== null);
  return pending.find(({ problem }) => problem !== null) ?? pending[0];
}

/** Repeats the comparison after a pause. @param problem null if it only has to wait */
async function postpone(
  { db, log }: StepContext,
  { doi, attempts, problem: before }: DoiRow,
  problem: RegistrationProblem | null,
  error?: unknown,
): Promise<void> {
  const failed = problem === null ? attempts : attempts + 1;
  const line = { err: error, doi, code: problem?.code };
  if (problem !== null && problem.code !== before?.code) {
    log.warn(line, "the DOI cannot be compared with DataCite; the service tries again");
  } else log.debug(line, "the comparison of the DOI with DataCite is postponed");
  const next_at = new Date(Date.now() + pauseAfter(Math.max(failed, 1)));
  await updateDoi(db, doi, { next_at, attempts: failed, problem });
}

/** @returns the differences that remain */
async function compareAndRepair(context: StepContext, doi: DoiRow, signal: AbortSignal): Promise<string[]> {
  const { log } = context;
  const wanted = await wantedDoi(context, doi);
  // Without a published version, there is nothing with which DataCite could differ.
  if (wanted === undefined) return [];
  const differences = await compare(context, doi, wanted, signal);
  if (differences.length > 0 && doi.repair) {
    log.info({ doi: doi.doi, differences }, "a DOI differs from the archive and is corrected");
    await repair(context, doi, wanted, { differences, signal });
    return compare(context, doi, wanted, signal);
  }
  if (differences.length > 0) log.warn({ doi: doi.doi, differences }, "a DOI differs from the archive");
  return differences;
}

async function compare(
  context: StepContext,
  { doi }: DoiRow,
  wanted: WantedDoi,
  signal: AbortSignal,
): Promise<string[]> {
  const found = await context.publication.datacite?.get(doi, signal);
  if (found === undefined) return [MISSING];
  const unregistered = found.registered === undefined ? ["registered"] : [];
  return [...unregistered, ...differencesFrom(wanted.attributes, found)];
}

async function repair(
  context: StepContext,
  { doi }: DoiRow,
  wanted: WantedDoi,
  { differences, signal }: { differences: string[]; signal: AbortSignal },
): Promise<void> {
  const { datacite } = context.publication;
  if (datacite === undefined) return;
  await requireValid(doi, wanted);
  const { attributes, sha256 } = wanted;
  // An event is sent only if the state differs: the operator has asked for it.
  const event = differences.includes("state") ? ("publish" as const) : undefined;
  if (differences.includes(MISSING)) await datacite.create(doi, attributes, "publish", signal);
  else await datacite.update(doi, attributes, event, signal);
  await updateDoi(context.db, doi, { sent_sha256: sha256, confirmed_sha256: sha256, confirmed_at: new Date() });
}
