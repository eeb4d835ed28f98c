import { recordOf } from "../../archive/receipts/signing.ts";
import { lockDataset } from "../../db/datasets/datasets.ts";
import { changeDoi, type DoiRow, doisOf, updateDoi } from "../../db/publication/dois.ts";
import {
  continueAgain,
  isCurrent,
  type PublicationRow,
  publicationsOf,
  recordRetraction,
} from "../../db/publication/publications.ts";
import { recordsOf, storeReviewSoon } from "../../db/publication/records.ts";
import { doiUrl, versionUrn } from "../../describe/version-facts.ts";
import { Problem } from "../../domain/problems.ts";
import type { StepContext } from "../../steps/context.ts";
import type { DoiAnswer } from "../datacite/answers.ts";
import type { DataciteClient } from "../datacite/client.ts";
import { CONCEPT } from "../rules/doi.ts";
import { SETTLED_AFTER, Superseded } from "./attempts.ts";
import { publicationFacts } from "./publication-facts.ts";
import { keepPublicationRecord } from "./publication-record.ts";

/**
 * Ends what the registration of a version had begun before its publication was taken back or withdrawn: DataCite no longer shows
 * the metadata of a DOI that had become public. The DOI then leads to a notice, and stays that of the version: a later publication
 * makes it findable again. The archive has the signed record before DataCite is told.
 *
 * @returns false if DataCite must be asked again, because a request that was sent before may be processed later
 */
export async function retract(context: StepContext, row: PublicationRow, signal: AbortSignal): Promise<boolean> {
  const { db, publication } = context;
  const last = (await recordsOf(db, row.dataset_id, row.version)).at(-1);
  if (last !== undefined && recordOf(last.jws).state === "published") await keepRetraction(context, row);
  const sent = (await retractable(context, row)).filter((doi) => doi.sent_sha256 !== null || doi.state === "hidden");
  if (sent.length === 0) {
    await recordRetraction(db, row, false);
    return true;
  }
  if (publication.datacite === undefined) {
    throw new Problem(
      "datacite_credentials",
      "The service has no DataCite account any more, but the DOI of the dataset may be public",
    );
  }
  for (const doi of sent) await hide(context, publication.datacite, { row, doi, signal });
  if (row.attempts < SETTLED_AFTER) return false;
  const dois = await retractable(context, row);
  const isPublic = dois.some(({ state }) => state === "hidden");
  await recordRetraction(db, row, isPublic);
  if (!(await isCurrent(db, row))) return true;
  // DataCite has not received the requests: a rebuilt database need not ask for these DOIs again.
  for (const doi of dois) if (doi.state !== "hidden") await changeDoi(db, doi, { sent_sha256: null });
  await storeReviewSoon(db, row);
  return true;
}

/** The DOI of the version, and the concept DOI unless it stands for another version that is or was published. */
async function retractable({ db }: StepContext, { dataset_id, version }: PublicationRow): Promise<DoiRow[]> {
  const others = (await publicationsOf(db, dataset_id)).filter((other) => other.version !== version);
  const isShared = others.some(({ state, published_at }) => state === "registering" || published_at !== null);
  return (await doisOf(db, dataset_id)).filter(
    (doi) => doi.version === version || (doi.version === CONCEPT && !isShared),
  );
}

async function hide(
  context: StepContext,
  client: DataciteClient,
  { row, doi, signal }: { row: PublicationRow; doi: DoiRow; signal: AbortSignal },
): Promise<void> {
  const { db } = context;
  const found = await client.get(doi.doi, signal);
  const isOurs = found !== undefined && client.owns(found);
  if (!isOurs && (doi.state === "findable" || doi.state === "hidden")) {
    throw new Problem(
      "datacite_forbidden",
      `The account at DataCite does not have the DOI ${doi.doi}, which was public`,
    );
  }
  if (!isOurs || found.state === "draft") return;
  await keepRetraction(context, row, doi);
  await db.transaction().execute(async (trx) => {
    await lockDataset(trx, row.dataset_id);
    if (!(await isCurrent(trx, row))) throw new Superseded();
    await recordRetraction(trx, row, true);
    const hidden = await changeDoi(trx, doi, { state: "hidden", confirmed_sha256: null });
    if (hidden === undefined) throw new Superseded();
  });
  if (found.state === "registered") return;
  const answer = await client.update(doi.doi, {}, "hide", signal).catch((error: unknown) => error);
  if (!(await isCurrent(db, row))) {
    // The version was approved again, and this request can have arrived after the registration.
    await updateDoi(db, doi.doi, { state: "hidden", confirmed_sha256: null });
    await continueAgain(db, row);
    throw new Superseded();
  }
  if (answer instanceof Error) throw answer;
  if ((answer as DoiAnswer).state === "findable") {
    throw new Problem("datacite_event_ignored", `DataCite reports the DOI ${doi.doi} as findable, not as hidden`);
  }
}

/**
 * Signs and stores, before a withdrawn dataset is deleted, that versions which were being registered are withdrawn: their DOIs can
 * have become public, and the records are copied beside the tombstone.
 */
export async function keepRetractions(context: StepContext, dataset: string): Promise<void> {
  for (const row of await publicationsOf(context.db, dataset)) {
    if (row.published_at !== null) continue;
    const doi = (await doisOf(context.db, dataset)).find(({ version }) => version === row.version);
    const last = (await recordsOf(context.db, dataset, row.version)).at(-1);
    const saysPublished = last !== undefined && recordOf(last.jws).state === "published";
    const hasEnded = row.state === "withdrawn" || row.retracted_at !== null;
    const mayBePublic = hasEnded && doi !== undefined && doi.sent_sha256 !== null;
    if (saysPublished || mayBePublic) await keepRetraction(context, row, doi, true);
  }
}

/**
 * Signs and stores that the version is not public.
 * @param doi the DOI that became public
 * @param isBeforeRemoval see `keepPublicationRecord`
 */
async function keepRetraction(
  context: StepContext,
  row: PublicationRow,
  doi?: DoiRow,
  isBeforeRemoval = false,
): Promise<void> {
  const { dataset_id, version } = row;
  const last = (await recordsOf(context.db, dataset_id, version)).at(-1);
  const known = last === undefined ? undefined : recordOf(last.jws);
  const url = doi && doiUrl(doi.doi);
  const isConcept = doi?.version === CONCEPT;
  await keepPublicationRecord(context, row, {
    facts: await publicationFacts(context, row),
    identifier: (isConcept ? undefined : url) ?? known?.identifier ?? versionUrn(dataset_id, version),
    conceptDoi: (isConcept ? url : undefined) ?? known?.conceptDoi,
    publishedAt: undefined,
    isBeforeRemoval,
  });
}
