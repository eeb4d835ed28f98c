import { differencesFrom } from "../../datacite/differences.ts";
import { type DoiRow, findDoi, updateDoi } from "../../db/publication/dois.ts";
import { findPublication } from "../../db/publication/publications.ts";
import type { StepContext } from "../context.ts";
import { type Wanted, wantedOf } from "./register-doi.ts";

/** The name of the difference if DataCite does not have the DOI. */
const MISSING = "doi";

/**
 * Compares a registered DOI with DataCite: its state, its address and its metadata. Someone with the same account, or an
 * error, can have changed them. Differences are recorded; they are corrected only on request, because they can be intended.
 *
 * @throws Problem if DataCite does not answer; the comparison is then repeated
 */
export async function checkDoi(context: StepContext, name: string, signal: AbortSignal): Promise<void> {
  const { db, log } = context;
  const { datacite } = context.publication;
  const doi = await findDoi(db, name);
  if (datacite === undefined || doi === undefined || doi.state !== "findable") return;
  const row = await findPublication(db, doi.dataset_id, doi.version);
  // What is being changed by a publication is compared afterwards.
  if (row === undefined || row.next_at !== null) return;
  const wanted = await wantedOf(context, row);
  let differences = await compare(context, doi, wanted, signal);
  if (differences.length > 0 && doi.repair) {
    log.info({ doi: name, differences }, "a DOI differs from the archive and is corrected");
    await repair(context, doi, wanted, { differences, signal });
    differences = await compare(context, doi, wanted, signal);
  } else if (differences.length > 0) log.warn({ doi: name, differences }, "a DOI differs from the archive");
  await updateDoi(db, name, { checked_at: new Date(), differences, repair: false });
}

async function compare(context: StepContext, { doi }: DoiRow, wanted: Wanted, signal: AbortSignal): Promise<string[]> {
  const found = await context.publication.datacite?.get(doi, signal);
  if (found === undefined) return [MISSING];
  const unregistered = found.registered === undefined ? ["registered"] : [];
  return [...unregistered, ...differencesFrom(wanted.attributes, found)];
}

async function repair(
  context: StepContext,
  { doi }: DoiRow,
  { attributes, sha256 }: Wanted,
  { differences, signal }: { differences: string[]; signal: AbortSignal },
): Promise<void> {
  const { datacite } = context.publication;
  if (datacite === undefined) return;
  // An event is sent only if the state differs: the operator has asked for it.
  const event = differences.includes("state") ? ("publish" as const) : undefined;
  if (differences.includes(MISSING)) await datacite.create(doi, attributes, "publish", signal);
  else await datacite.update(doi, attributes, event, signal);
  await updateDoi(context.db, doi, { sent_sha256: sha256, confirmed_sha256: sha256, confirmed_at: new Date() });
}
