import { changeDoi, type DoiRow, findDoi, forgetRequests, markSent, updateDoi } from "../../db/publication/dois.ts";
import { publicationsOf } from "../../db/publication/publications.ts";
import type { StepContext } from "../../steps/context.ts";
import { differencesFrom } from "../datacite/differences.ts";
import { CONCEPT } from "../rules/doi.ts";
import type { RegistrationProblem } from "../rules/publication.ts";
import { causedDifferences, LATE_MS } from "../rules/uncertain-requests.ts";
import { nextAttempt, registrationProblem, requireChange, Superseded } from "../service/attempts.ts";
import { type DoiMetadata, doiMetadataOf, requireValid } from "./doi-metadata.ts";

/** The name of the difference if DataCite does not have the DOI. */
const MISSING = "doi";

/**
 * Compares a registered DOI with DataCite: its state, its address and its metadata. Someone with the same account, or an
 * error, can have changed them. Differences are recorded; they are corrected only on request, because they can be intended.
 *
 * One kind is corrected automatically: DataCite states exactly what an earlier request of the service contained, whose effect was
 * not certain. DataCite has then processed it after a later one. A DOI with such requests is compared again some minutes later.
 *
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
    const settledBefore = new Date(Date.now() - LATE_MS);
    const { differences, compared } = await compareAndRepair(context, doi, signal);
    await forgetRequests(db, name, { before: settledBefore });
    const checked = { checked_at: new Date(), differences, repair: false };
    const isUncertain = (await findDoi(db, name))?.uncertain != null;
    const next_at = isUncertain ? new Date(Date.now() + LATE_MS) : null;
    await requireChange(changeDoi(db, compared, { ...checked, next_at, attempts: 0, problem: null }));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Superseded) return postpone(context, doi, null);
    const problem = registrationProblem(error, "An internal error prevents the comparison with DataCite", doi.problem);
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
  const next_at = nextAttempt(Math.max(failed, 1));
  await updateDoi(db, doi, { next_at, attempts: failed, problem });
}

interface Comparison {
  /** Those that remain. */
  differences: string[];
  /** The DOI with the request of the correction. */
  compared: DoiRow;
}

async function compareAndRepair(context: StepContext, doi: DoiRow, signal: AbortSignal): Promise<Comparison> {
  const { log } = context;
  const wanted = await doiMetadataOf(context, doi);
  // Without a published version, there is nothing with which DataCite could differ.
  if (wanted === undefined) return { differences: [], compared: doi };
  const { differences, isOwn } = await compare(context, doi, wanted, signal);
  if (differences.length > 0 && (doi.repair || isOwn)) {
    log.info({ doi: doi.doi, differences, isOwn }, "a DOI differs from the archive and is corrected");
    const compared = await repair(context, doi, wanted, { differences, signal });
    return { differences: (await compare(context, compared, wanted, signal)).differences, compared };
  }
  if (differences.length > 0) log.warn({ doi: doi.doi, differences }, "a DOI differs from the archive");
  return { differences, compared: doi };
}

/** @returns the differences, and whether an earlier request of the service has caused them */
async function compare(
  context: StepContext,
  { doi, uncertain }: DoiRow,
  wanted: DoiMetadata,
  signal: AbortSignal,
): Promise<{ differences: string[]; isOwn: boolean }> {
  const found = await context.publication.datacite?.get(doi, signal);
  if (found === undefined) return { differences: [MISSING], isOwn: false };
  const unregistered = found.registered === undefined ? ["registered"] : [];
  const differences = [...unregistered, ...differencesFrom(wanted.attributes, found)];
  const isOwn = causedDifferences(uncertain ?? [], differences, (attributes) => differencesFrom(attributes, found));
  return { differences, isOwn };
}

/** @returns the DOI with the request of the correction. @throws Superseded if a publication has sent something in the meantime */
async function repair(
  context: StepContext,
  row: DoiRow,
  wanted: DoiMetadata,
  { differences, signal }: { differences: string[]; signal: AbortSignal },
): Promise<DoiRow> {
  const { db, publication } = context;
  const { datacite } = publication;
  const { doi } = row;
  if (datacite === undefined) return row;
  await requireValid(doi, wanted);
  const { attributes, sha256 } = wanted;
  // An event is sent only if the state differs: the operator has asked for it.
  const event = differences.includes("state") ? ("publish" as const) : undefined;
  const sent = await requireChange(markSent(db, row, wanted));
  if (differences.includes(MISSING)) await datacite.create(doi, attributes, "publish", signal);
  else await datacite.update(doi, attributes, event, signal);
  await forgetRequests(db, doi, { number: sent.requests });
  return requireChange(changeDoi(db, sent, { confirmed_sha256: sha256, confirmed_at: new Date() }));
}
