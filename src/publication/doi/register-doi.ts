import { lockDataset } from "../../db/datasets/datasets.ts";
import { abandonTaken } from "../../db/publication/doi-reservations.ts";
import {
  changeDoi,
  chooseDoi,
  type DoiRow,
  doiOf,
  forgetRequests,
  isLatestRequest,
  markSent,
  planComparison,
  updateDoi,
} from "../../db/publication/dois.ts";
import {
  announce,
  continueAgain,
  isCurrent,
  type PublicationRow,
  unannounce,
} from "../../db/publication/publications.ts";
import { Problem } from "../../domain/problems.ts";
import type { StepContext } from "../../steps/context.ts";
import type { DoiAnswer } from "../datacite/answers.ts";
import { type DataciteClient, isRefusal } from "../datacite/client.ts";
import { differencesFrom } from "../datacite/differences.ts";
import { CONCEPT, randomSuffix } from "../rules/doi.ts";
import { LATE_MS } from "../rules/uncertain-requests.ts";
import { requireChange, SETTLED_AFTER, Superseded } from "../service/attempts.ts";
import { storeReview } from "../service/review-record.ts";
import { type DoiMetadata, type DoiSubject, doiMetadataOf, requireValid } from "./doi-metadata.ts";

/** Random suffixes rarely collide; more tries mean that something else is wrong. */
const MOST_CHOICES = 5;

/**
 * Registers the DOI of a version, or the concept DOI of its dataset, or changes its metadata if it is registered. May be repeated
 * at any time; after a failure with unknown result it asks DataCite first.
 *
 * The suffix is stored before the first request. Before the request that can make the DOI findable, the version is announced,
 * so that the DOI never leads to a page that does not exist; a refusal takes that back. A DOI is registered only when
 * DataCite reports it as findable, with our address, and with a registered handle. Records are validated against DataCite's
 * schema before they are sent.
 *
 * Two attempts can run at once, if a process that was suspended continues. Every change of the DOI is made only if no other
 * attempt has sent a request since, so that a DOI that may be findable is never replaced.
 *
 * @returns the registered DOI
 * @throws Problem with the reason why it is not registered yet; Superseded
 */
export async function registerDoi(
  context: StepContext,
  client: DataciteClient,
  { row, isConcept = false }: { row: PublicationRow; isConcept?: boolean },
  signal: AbortSignal,
): Promise<string> {
  const subject = { dataset_id: row.dataset_id, version: isConcept ? CONCEPT : row.version };
  for (let choice = 1; ; choice++) {
    const doi = await requireDoi(context, client, subject);
    const wanted = await doiMetadataOf(context, subject, row.state === "registering" ? row : undefined);
    if (wanted === undefined) throw new Error(`The version ${row.version} of ${row.dataset_id} is not published`);
    // Otherwise a database that is recreated from the archive would not know the DOI, and register a second one.
    if (doi.sent_sha256 === null) await storeReview(context, row);
    const registration = { client, row, doi, wanted, signal };
    try {
      await register(context, registration);
      return doi.doi;
    } catch (error) {
      const isTaken = error instanceof Problem && error.code === "doi_taken";
      // A DOI that DataCite has created for us is kept in any case: another one could become findable beside it.
      if (!isTaken || registration.doi.state !== "chosen") throw error;
      await requireChange(changeDoi(context.db, registration.doi, { state: "abandoned" }));
      context.log.warn({ doi: doi.doi }, "the DOI belongs to another dataset; the service chooses another one");
      if (choice === MOST_CHOICES) throw error;
    }
  }
}

async function requireDoi(
  { db }: StepContext,
  client: DataciteClient,
  { dataset_id, version }: DoiSubject,
): Promise<DoiRow> {
  for (;;) {
    const found = await doiOf(db, dataset_id, version);
    // If the operator has changed the prefix, a DOI that was never sent is replaced by one with the new prefix.
    const isForeign = found !== undefined && !found.doi.startsWith(`${client.prefix}/`);
    if (found !== undefined && !(isForeign && (await abandonTaken(db, found)))) return found;
    await chooseDoi(db, { doi: `${client.prefix}/${randomSuffix()}`, dataset_id, version, reserved: false });
  }
}

interface Registration {
  client: DataciteClient;
  /** The publication for which the DOI is registered. Of a concept DOI, the version that is being published. */
  row: PublicationRow;
  /** As it was at the beginning of this attempt, or as the attempt has changed it since. */
  doi: DoiRow;
  wanted: DoiMetadata;
  signal: AbortSignal;
}

async function register(context: StepContext, of: Registration): Promise<void> {
  const { doi, wanted, client, signal } = of;
  if (doi.state === "findable") {
    await announcePublic(context, of);
    return confirm(context, of, await changeFindable(context, of));
  }
  const mayExist = doi.sent_sha256 !== null || doi.state !== "chosen";
  let found = mayExist ? await client.get(doi.doi, signal) : undefined;
  if (found === undefined) {
    await takeAnnouncementBack(context, of);
    // The operator has changed the prefix after a request that did not arrive.
    if (!doi.doi.startsWith(`${client.prefix}/`) && of.row.attempts >= SETTLED_AFTER) {
      throw new Problem("doi_taken", `DataCite does not have the DOI ${doi.doi}, and the account has another prefix`);
    }
    await create(context, of);
    // The handle is registered after the response, so that DataCite must be asked again in any case.
    found = await client.get(doi.doi, signal);
    if (found === undefined) {
      throw new Problem("datacite_unreachable", `DataCite does not have the DOI ${doi.doi} although it accepted it`);
    }
  }
  requireOurs(of, found);
  if (found.state === "draft") await takeAnnouncementBack(context, of);
  else await announcePublic(context, of);
  // What was sent last can be lost, so that only what DataCite has counts.
  const isLatest = differencesFrom(wanted.attributes, found).length === 0;
  await confirm(context, of, isLatest ? found : await publish(context, of, found));
}

/** Creates the DOI with everything at once. */
async function create(context: StepContext, of: Registration): Promise<void> {
  const { client, doi, wanted, signal } = of;
  const isFirst = doi.sent_sha256 === null && !doi.reserved && doi.state === "chosen";
  await requireValid(doi.doi, wanted);
  try {
    await sending(context, of, () => client.create(doi.doi, wanted.attributes, "publish", signal));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "doi_taken") throw error;
    // An earlier request of ours may have been processed late: then it has our address.
    const found = await client.get(doi.doi, signal);
    if (found === undefined) {
      if (isFirst) throw error;
      const detail = `DataCite reports that the DOI ${doi.doi} exists, but does not return it yet`;
      throw new Problem("datacite_unreachable", detail, { cause: error });
    }
    requireOurs(of, found);
    of.doi = await requireChange(changeDoi(context.db, of.doi, { sent_sha256: wanted.sha256 }));
    return;
  }
  of.doi = await requireChange(changeDoi(context.db, of.doi, { state: "draft" }));
}

/** Makes an existing DOI of ours findable, with the wanted metadata. */
async function publish(context: StepContext, of: Registration, { state }: DoiAnswer): Promise<DoiAnswer> {
  const { client, doi, wanted, signal } = of;
  await requireValid(doi.doi, wanted);
  if (state === "findable") return change(context, of);
  return sending(context, of, () => client.update(doi.doi, wanted.attributes, "publish", signal));
}

/** Sends a request that can make the DOI findable. */
async function sending(context: StepContext, of: Registration, send: () => Promise<DoiAnswer>): Promise<DoiAnswer> {
  const { db } = context;
  const wasSent = of.doi.sent_sha256 !== null;
  await mark(context, of);
  // A concept DOI leads to a version whose own DOI has been announced before.
  const isFirst = of.doi.version === CONCEPT ? !wasSent : await announce(db, of.row);
  if (isFirst === undefined) throw new Superseded();
  try {
    return await sendCurrent(context, of, send);
  } catch (error) {
    // A refusal says nothing about an earlier request whose result is unknown.
    if (error instanceof Problem && isRefusal(error) && isFirst) {
      if (!wasSent) of.doi = await requireChange(changeDoi(db, of.doi, { sent_sha256: null }));
      await takeAnnouncementBack(context, of);
    }
    throw error;
  }
}

/**
 * Sends a change of a DOI. If the service has something else to do by then, or another attempt has sent a request, this one can have
 * reached DataCite after those of another attempt, so that another one follows and sends everything again.
 */
async function sendCurrent({ db }: StepContext, of: Registration, send: () => Promise<DoiAnswer>): Promise<DoiAnswer> {
  const { doi, row } = of;
  const answer = await send().catch((error: unknown) => error);
  const isCertain = !(answer instanceof Error) || (answer instanceof Problem && isRefusal(answer));
  if (isCertain) await forgetRequests(db, doi.doi, { number: doi.requests });
  if (!(await isCurrent(db, row)) || !(await isLatestRequest(db, doi))) {
    await updateDoi(db, doi.doi, { confirmed_sha256: null });
    await continueAgain(db, row);
    throw new Superseded();
  }
  if (answer instanceof Error) throw answer;
  return answer as DoiAnswer;
}

/** Records before a request that the DOI may exist: after a crash, or the end of the publication, DataCite is asked for it. */
async function mark({ db }: StepContext, of: Registration): Promise<void> {
  of.doi = await requireChange(markSent(db, of.doi, of.wanted));
}

/** Records that the version's own DOI leads to it already. */
async function announcePublic({ db }: StepContext, { row, doi }: Registration): Promise<void> {
  if (row.state !== "registering" || doi.version === CONCEPT) return;
  if ((await announce(db, row)) === undefined) throw new Superseded();
}

/** Records that the version's own DOI leads nowhere. */
async function takeAnnouncementBack({ db }: StepContext, { row, doi }: Registration): Promise<void> {
  if (doi.version !== CONCEPT) await unannounce(db, row);
}

/** Sends changed metadata of a findable DOI, without an event: one would make a hidden DOI public again. */
async function changeFindable(context: StepContext, of: Registration): Promise<DoiAnswer | undefined> {
  const { doi, wanted } = of;
  return doi.confirmed_sha256 === wanted.sha256 ? undefined : change(context, of);
}

async function change(context: StepContext, of: Registration): Promise<DoiAnswer> {
  const { client, doi, wanted, signal } = of;
  await requireValid(doi.doi, wanted);
  await mark(context, of);
  return sendCurrent(context, of, () => client.update(doi.doi, wanted.attributes, undefined, signal));
}

/** Records a registered DOI. @throws Problem if it is not registered */
async function confirm(context: StepContext, of: Registration, answer: DoiAnswer | undefined): Promise<void> {
  const { db } = context;
  const { doi, wanted, row } = of;
  if (answer === undefined) return;
  if (answer.state === "draft") await takeAnnouncementBack(context, of);
  if (answer.state === "draft" || (answer.state === "registered" && row.state === "registering")) {
    throw new Problem(
      "datacite_event_ignored",
      `DataCite reports the DOI ${doi.doi} as ${answer.state}, not as findable`,
    );
  }
  if (answer.url !== wanted.url) {
    throw new Problem("doi_elsewhere", `The DOI ${doi.doi} does not lead to ${wanted.url}`);
  }
  if (answer.registered === undefined) {
    throw new Problem("doi_not_registered", `DataCite has not registered the handle of the DOI ${doi.doi} yet`);
  }
  const registered_at = new Date(answer.registered);
  await db.transaction().execute(async (trx) => {
    await lockDataset(trx, row.dataset_id);
    // Otherwise the DOI can have been hidden since the answer.
    if (!(await isCurrent(trx, row))) throw new Superseded();
    const confirmed = await requireChange(
      changeDoi(trx, of.doi, {
        state: "findable",
        confirmed_sha256: wanted.sha256,
        confirmed_at: new Date(),
        registered_at,
        // Compared again a day later, or on request.
        checked_at: new Date(),
        differences: differencesFrom(wanted.attributes, answer),
      }),
    );
    // DataCite can still process an earlier request after this one: see check-doi.ts.
    if (confirmed.uncertain !== null) await planComparison(trx, doi.doi, new Date(Date.now() + LATE_MS));
  });
}

/** @throws Problem `doi_taken` if the DOI belongs to another account, or leads elsewhere and was not created by us */
function requireOurs({ client, doi, wanted }: Registration, found: DoiAnswer): void {
  const wasOurs = doi.state !== "chosen";
  // The address of the service can have changed since, but not the id of the dataset.
  const target = wanted.url.slice(wanted.url.lastIndexOf("/dataset/"));
  const isReservation = doi.reserved && found.state === "draft" && found.url === undefined;
  if (client.owns(found) && (wasOurs || isReservation || found.url?.endsWith(target) === true)) return;
  throw new Problem("doi_taken", `The DOI ${doi.doi} belongs to another dataset`);
}
