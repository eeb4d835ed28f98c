import { createHash } from "node:crypto";
import { doiAttributes } from "../../archive/metadata/datacite/doi-attributes.ts";
import { type DataciteClient, isRefusal } from "../../datacite/client.ts";
import type { DoiAnswer } from "../../datacite/doi-answer.ts";
import { randomSuffix } from "../../datacite/suffix.ts";
import { chooseDoi, type DoiRow, doiOf, updateDoi } from "../../db/publication/dois.ts";
import { announce, type PublicationRow, unannounce } from "../../db/publication/publications.ts";
import { Problem } from "../../domain/problems.ts";
import type { StepContext } from "../context.ts";
import { landingUrl, publicationFacts } from "./publication-facts.ts";

/** Random suffixes rarely collide; more tries mean that something else is wrong. */
const MOST_CHOICES = 5;

/** What a DOI must state. */
export interface Wanted {
  url: string;
  attributes: object;
  sha256: string;
}

/**
 * Registers the DOI of a version, or changes its metadata if it is registered. May be repeated at any time; after a failure
 * with unknown result it asks DataCite first.
 *
 * The suffix is stored before the first request. Before the request that can make the DOI findable, the version is announced,
 * so that the DOI never leads to a page that does not exist; a refusal takes that back. A DOI is registered only when
 * DataCite reports it as findable, with our address, and with a registered handle.
 *
 * @returns the registered DOI
 * @throws Problem with the reason why it is not registered yet
 */
export async function registerDoi(
  context: StepContext,
  client: DataciteClient,
  row: PublicationRow,
  signal: AbortSignal,
): Promise<string> {
  for (let choice = 1; ; choice++) {
    const doi = await requireDoi(context, client, row);
    try {
      await register(context, { client, row, doi, wanted: await wantedOf(context, row), signal });
      return doi.doi;
    } catch (error) {
      const isTaken = error instanceof Problem && error.code === "doi_taken";
      if (!isTaken || doi.state === "findable") throw error;
      context.log.warn({ doi: doi.doi }, "the DOI belongs to another dataset; the service chooses another one");
      await updateDoi(context.db, doi.doi, { state: "abandoned" });
      if (choice === MOST_CHOICES) throw error;
    }
  }
}

async function requireDoi({ db }: StepContext, client: DataciteClient, row: PublicationRow): Promise<DoiRow> {
  const { dataset_id, version } = row;
  for (;;) {
    const found = await doiOf(db, dataset_id, version);
    if (found !== undefined) return found;
    await chooseDoi(db, { doi: `${client.prefix}/${randomSuffix()}`, dataset_id, version, reserved: false });
  }
}

/** What the DOI of a version must state now. */
export async function wantedOf(context: StepContext, row: PublicationRow): Promise<Wanted> {
  const url = landingUrl(context, row);
  const attributes = doiAttributes(await publicationFacts(context, row), {
    url,
    issued: (row.published_at ?? new Date()).toISOString().slice(0, 10),
    ...(row.withdrawn_at !== null && {
      withdrawn: { day: row.withdrawn_at.toISOString().slice(0, 10), reason: row.withdrawn_reason ?? "" },
    }),
  });
  return { url, attributes, sha256: createHash("sha256").update(JSON.stringify(attributes)).digest("hex") };
}

interface Registration {
  client: DataciteClient;
  row: PublicationRow;
  doi: DoiRow;
  wanted: Wanted;
  signal: AbortSignal;
}

async function register(context: StepContext, of: Registration): Promise<void> {
  const { doi, wanted, client, signal } = of;
  if (doi.state === "findable") return confirm(context, of, await changeFindable(context, of));
  let found = doi.sent_sha256 === null ? undefined : await client.get(doi.doi, signal);
  if (found === undefined) {
    await unannounce(context.db, of.row);
    await create(context, { ...of, doi: { ...doi, sent_sha256: null } });
    // The handle is registered after the response, so that DataCite must be asked again in any case.
    found = await client.get(doi.doi, signal);
    if (found === undefined) {
      throw new Problem("datacite_unreachable", `DataCite does not have the DOI ${doi.doi} although it accepted it`);
    }
  }
  requireOurs({ ...of, doi: (await doiOf(context.db, of.row.dataset_id, of.row.version)) ?? doi }, found);
  if (found.state === "draft") await unannounce(context.db, of.row);
  const isComplete = found.state === "findable" && found.url === wanted.url;
  const isCurrent = isComplete && (await sentSha256(context, of)) === wanted.sha256;
  await confirm(context, of, isCurrent ? found : await publish(context, of, found));
}

/** Creates the DOI with everything at once. */
async function create(context: StepContext, of: Registration): Promise<void> {
  const { client, doi, wanted, signal } = of;
  try {
    await sending(context, of, () => client.create(doi.doi, wanted.attributes, "publish", signal));
    await updateDoi(context.db, doi.doi, { state: "draft" });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "doi_taken") throw error;
    // An earlier request of ours may have been processed late: then it has our address.
    const found = await client.get(doi.doi, signal);
    if (found === undefined) throw error;
    requireOurs(of, found);
    await updateDoi(context.db, doi.doi, { sent_sha256: wanted.sha256 });
  }
}

/** Makes an existing DOI of ours findable, with the wanted metadata. */
async function publish(context: StepContext, of: Registration, { state }: DoiAnswer): Promise<DoiAnswer> {
  const { client, doi, wanted, signal } = of;
  if (state === "findable") return client.update(doi.doi, wanted.attributes, undefined, signal);
  return sending(context, of, () => client.update(doi.doi, wanted.attributes, "publish", signal));
}

/** Sends a request that can make the DOI findable. */
async function sending(context: StepContext, of: Registration, send: () => Promise<DoiAnswer>): Promise<DoiAnswer> {
  const { db } = context;
  const isFirst = await announce(db, of.row);
  // Stored first: after a crash or time-out the DOI may exist.
  await updateDoi(db, of.doi.doi, { sent_sha256: of.wanted.sha256 });
  try {
    return await send();
  } catch (error) {
    // A refusal says nothing about an earlier request whose result is unknown.
    if (error instanceof Problem && isRefusal(error) && isFirst) {
      await unannounce(db, of.row);
      if (of.doi.sent_sha256 === null) await updateDoi(db, of.doi.doi, { sent_sha256: null });
    }
    throw error;
  }
}

/** Sends changed metadata of a findable DOI, without an event: one would make a hidden DOI public again. */
async function changeFindable(context: StepContext, of: Registration): Promise<DoiAnswer | undefined> {
  const { client, doi, wanted, signal } = of;
  if (doi.confirmed_sha256 === wanted.sha256) return undefined;
  await updateDoi(context.db, doi.doi, { sent_sha256: wanted.sha256 });
  return client.update(doi.doi, wanted.attributes, undefined, signal);
}

async function sentSha256({ db }: StepContext, { row }: Registration): Promise<string | null> {
  return (await doiOf(db, row.dataset_id, row.version))?.sent_sha256 ?? null;
}

/** Records a registered DOI. @throws Problem if it is not registered */
async function confirm(
  { db }: StepContext,
  { doi, wanted, row }: Registration,
  answer: DoiAnswer | undefined,
): Promise<void> {
  if (answer === undefined) return;
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
  await updateDoi(db, doi.doi, {
    state: "findable",
    confirmed_sha256: wanted.sha256,
    confirmed_at: new Date(),
    registered_at: new Date(answer.registered),
    // Compared completely a day later, or on request.
    checked_at: new Date(),
    differences: [],
  });
}

/** @throws Problem `doi_taken` if the DOI belongs to another account, or has another address and was not created by us */
function requireOurs({ client, doi, wanted }: Registration, found: DoiAnswer): void {
  const wasOurs = doi.state !== "chosen";
  if (client.owns(found) && (found.url === wanted.url || wasOurs)) return;
  throw new Problem("doi_taken", `The DOI ${doi.doi} belongs to another dataset`);
}
