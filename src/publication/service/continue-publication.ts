import { recordOf } from "../../archive/receipts/signing.ts";
import { joinCollections } from "../../db/collections/members.ts";
import { lockDataset } from "../../db/datasets/datasets.ts";
import { doiOf } from "../../db/publication/dois.ts";
import { addEntry, hasEntry } from "../../db/publication/history.ts";
import {
  changePublication,
  findPublication,
  isCurrent,
  lockPublication,
  NO_FAILURE,
  type PublicationRow,
  publicationsOf,
  recordAttempt,
  renewPublications,
} from "../../db/publication/publications.ts";
import { recordsOf } from "../../db/publication/records.ts";
import { doiUrl, versionUrn } from "../../describe/version-facts.ts";
import { Problem } from "../../domain/problems.ts";
import { QUEUES } from "../../domain/submission/queues.ts";
import type { StepContext } from "../../steps/context.ts";
import { registerDoi } from "../doi/register-doi.ts";
import { CONCEPT, isDoi } from "../rules/doi.ts";
import { embargoNoticeKey } from "../rules/embargo-notices.ts";
import { published, registrationDelayed } from "../rules/events.ts";
import { isDelayed } from "../rules/publication.ts";
import { SERVICE } from "../rules/states.ts";
import { archiveIdentifier } from "./archived-identifier.ts";
import { nextAttempt, registrationProblem, Superseded } from "./attempts.ts";
import { publicationFacts } from "./publication-facts.ts";
import { keepPublicationRecord } from "./publication-record.ts";
import { retract } from "./retract.ts";
import { storeDueReview, storeReview } from "./review-record.ts";

/**
 * The service's part of a publication: it registers the DOI, signs and stores the publication record, and then commits that
 * the version is published, and lets the archived documents name its identifier. Later it does the same for changed metadata and
 * access. If the publication ended before it was complete, it withdraws the DOI. May run again after any crash, and at the same time
 * in two processes. A failure is recorded with its cause, and tried again after a pause.
 */
export async function continuePublication(
  context: StepContext,
  { dataset, version }: { dataset: string; version: number },
  signal: AbortSignal,
): Promise<void> {
  const row = await findPublication(context.db, dataset, version);
  if (row === undefined) return;
  if (row.next_at !== null) await tryPart(context, row, signal);
  await storeDueReview(context, row);
}

async function tryPart(context: StepContext, row: PublicationRow, signal: AbortSignal): Promise<void> {
  try {
    await recordAttempt(context.db, row, await attempt(context, row, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Superseded) return;
    await recordFailure(context, row, error);
  }
}

const DONE = { next_at: null, attempts: 0, problem: null };

/** @returns the outcome to record, unless the attempt gave the service something else to do */
async function attempt(context: StepContext, row: PublicationRow, signal: AbortSignal): Promise<typeof DONE | Again> {
  if (row.state === "registering") {
    if (context.publication.mode === "off") throw new Problem("publication_off");
    // The day that is stated everywhere, from the first request on that can make the DOI findable.
    await complete(context, { ...row, announced_at: row.announced_at ?? new Date() }, signal);
    return DONE;
  }
  const isDone = row.published_at !== null ? await renew(context, row, signal) : await retract(context, row, signal);
  return isDone ? DONE : again(row);
}

interface Again {
  next_at: Date;
  attempts: number;
  problem: null;
}

function again({ attempts }: PublicationRow): Again {
  return { next_at: nextAttempt(attempts + 1), attempts: attempts + 1, problem: null };
}

async function complete(context: StepContext, row: PublicationRow, signal: AbortSignal): Promise<void> {
  // The archive has request and approval before it has a publication record.
  await storeReview(context, row);
  const identifiers = await identify(context, row, signal);
  const facts = await publicationFacts(context, row);
  await keepPublicationRecord(context, row, { facts, ...identifiers, publishedAt: row.announced_at ?? new Date() });
  await commit(context, row, identifiers);
}

/** @returns false if the archive cannot name the identifier yet */
async function renew(context: StepContext, row: PublicationRow, signal: AbortSignal): Promise<boolean> {
  const { identifier, published_at: publishedAt } = row;
  if (identifier === null || publishedAt === null) return true;
  const facts = await publicationFacts(context, row);
  const last = (await recordsOf(context.db, row.dataset_id, row.version)).at(-1);
  // Before DataCite is asked, which may be unavailable: a database that is restored learns of closed access from the record.
  const known = last === undefined ? undefined : recordOf(last.jws).conceptDoi;
  await keepPublicationRecord(context, row, { facts, identifier, conceptDoi: known, publishedAt });
  const isArchived = await context.db.transaction().execute(async (trx) => {
    const dataset = await lockDataset(trx, row.dataset_id);
    if (dataset === undefined || !(await isCurrent(trx, row))) throw new Superseded();
    return archiveIdentifier(context, trx, dataset, row);
  });
  context.jobs.wake(QUEUES.revise);
  if (!isDoi(identifier)) return isArchived;
  const { conceptDoi } = await identify(context, row, signal);
  if (conceptDoi !== known) await keepPublicationRecord(context, row, { facts, identifier, conceptDoi, publishedAt });
  return isArchived;
}

interface Identifiers {
  /** A DOI as URL, or a URN. */
  identifier: string;
  /** The DOI of all versions as URL, if the dataset has one. */
  conceptDoi?: string | undefined;
}

/** The identifiers under which the version is published. With DataCite, they are registered when this resolves. */
async function identify(context: StepContext, row: PublicationRow, signal: AbortSignal): Promise<Identifiers> {
  const { datacite, conceptDois } = context.publication;
  if (datacite === undefined) {
    const doi = await doiOf(context.db, row.dataset_id, row.version);
    if (doi !== undefined || (row.identifier !== null && isDoi(row.identifier))) {
      throw new Problem(
        "datacite_credentials",
        "The service has no DataCite account any more, but the dataset has a DOI",
      );
    }
    return { identifier: versionUrn(row.dataset_id, row.version) };
  }
  const identifier = doiUrl(await registerDoi(context, datacite, { row }, signal));
  // A concept DOI that was registered stays correct, also if the operator has switched them off.
  const concept = await doiOf(context.db, row.dataset_id, CONCEPT);
  if (!conceptDois && concept === undefined) return { identifier };
  // While a later version is being registered, the concept DOI leads to the published one. It follows after the publication.
  const isLater = row.state === "registering" && (await publicationsOf(context.db, row.dataset_id)).some(isPublished);
  if (isLater) return { identifier, conceptDoi: concept?.state === "findable" ? doiUrl(concept.doi) : undefined };
  return { identifier, conceptDoi: doiUrl(await registerDoi(context, datacite, { row, isConcept: true }, signal)) };
}

function isPublished({ state }: PublicationRow): boolean {
  return state === "published";
}

/** Commits that the version is published, once. @throws Superseded if the publication ended since the attempt began */
async function commit(context: StepContext, began: PublicationRow, { identifier }: Identifiers): Promise<void> {
  const { dataset_id, version } = began;
  await context.db.transaction().execute(async (trx) => {
    const dataset = await lockDataset(trx, dataset_id);
    const row = await lockPublication(trx, dataset_id, version);
    if (dataset === undefined || row?.state !== "registering" || row.renewals !== began.renewals)
      throw new Superseded();
    const record = (await recordsOf(trx, dataset_id, version)).at(-1);
    if (record === undefined) throw new Error("The publication has no record");
    // The time that the record states, so that both agree.
    const at = new Date(recordOf(record.jws).publishedAt ?? Number.NaN);
    const revision = row.revision ?? 1;
    await joinCollections(trx, row);
    const changed = await changePublication(trx, row, {
      state: "published",
      since: at,
      published_at: at,
      retracted_at: null,
      embargo_notice: embargoNoticeKey(row.embargo_date, at),
      identifier,
      // Metadata, other versions and the concept DOI may have changed since the registration began.
      next_at: new Date(),
      ...NO_FAILURE,
    });
    const entry = { dataset_id, version, actor: SERVICE, action: "published", state: "published", revision } as const;
    const event = published({ dataset: dataset_id, version, revision, identifier });
    await addEntry(trx, { ...entry, data: { identifier } }, event);
    // Other versions now have a relation to this one.
    await renewPublications(trx, dataset_id, version);
    // In this transaction, so that no later version is submitted before. If one was submitted earlier, the next attempts repeat this.
    await archiveIdentifier(context, trx, dataset, changed);
  });
  context.jobs.wake(QUEUES.revise);
}

/** Records why the service could not continue, and when it tries again. Each cause of a delay is told once. */
async function recordFailure(context: StepContext, row: PublicationRow, error: unknown): Promise<void> {
  const problem = registrationProblem(error, "An internal error delays the publication", row.problem);
  const { code, fault, message, action, since } = problem;
  const { db, log } = context;
  const { dataset_id: dataset, version } = row;
  const line = { err: error, dataset, version, code };
  if (row.problem?.code === code) log.debug(line, "the service still cannot continue with the publication");
  else log.warn(line, "the service cannot continue with the publication, and tries again");
  const attempts = row.attempts + 1;
  await db.transaction().execute(async (trx) => {
    await lockDataset(trx, dataset);
    const outcome = { next_at: nextAttempt(attempts), attempts, problem };
    if (!(await recordAttempt(trx, row, outcome))) return;
    if (!isDelayed(problem, new Date())) return;
    if (await hasEntry(trx, dataset, version, { action: "delayed", about: { code, since: new Date(since) } })) return;
    const entry = { dataset_id: dataset, version, actor: SERVICE, action: "delayed", state: row.state };
    const about = { comment: message, revision: row.revision ?? 1, data: { code, fault, action } };
    await addEntry(trx, { ...entry, ...about }, registrationDelayed(row, problem));
  });
}
