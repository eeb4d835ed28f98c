import type { ArchivedRecord } from "../archive/archived-records.ts";
import { restoreDoi } from "../db/publication/dois.ts";
import { addEntry, addRecord, privatePublication, savePublication } from "../db/publication/publications.ts";
import { logEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { CONCEPT } from "../domain/publication/doi.ts";
import { embargoNoticeKey } from "../domain/publication/embargo.ts";
import { published } from "../domain/publication/events.ts";
import { SERVICE } from "../domain/publication/states.ts";

const DOI_URL = "https://doi.org/";

/**
 * Restores the publications of a dataset from their signed records: the newest record of a version states its current state.
 * Requests, comments and decisions before publication are not in the archive.
 *
 * @param submissions the submission of each version
 */
export async function restorePublications(
  trx: Trx,
  records: readonly ArchivedRecord[],
  submissions: ReadonlyMap<number, string>,
): Promise<void> {
  const concepts = new Map<string, { dataset_id: string; created_at: Date }>();
  for (const [version, own] of Map.groupBy(records, ({ record }) => record.dataset.version)) {
    const submission = submissions.get(version);
    const [first] = own;
    const newest = own.at(-1);
    if (submission === undefined || first === undefined || newest === undefined) continue;
    await restorePublication(trx, newest, submission);
    const { conceptDoi, dataset: of, publishedAt } = newest.record;
    if (conceptDoi !== undefined) concepts.set(conceptDoi, { dataset_id: of.id, created_at: new Date(publishedAt) });
    for (const { jws, record } of own) {
      const { number: no, dataset } = record;
      const at = new Date(record.issuedAt);
      const key = { dataset_id: dataset.id, version, no };
      await addRecord(trx, { ...key, issued_at: at, jws, stored_at: at });
    }
  }
  for (const [url, concept] of concepts) {
    await restoreDoi(trx, { doi: url.slice(DOI_URL.length), version: CONCEPT, ...concept });
  }
}

async function restorePublication(trx: Trx, { record }: ArchivedRecord, submission: string): Promise<void> {
  const { dataset, identifier, state, access, embargoDate = null, digests, withdrawn } = record;
  const { id, version, revision } = dataset;
  const at = new Date(record.publishedAt);
  await savePublication(trx, {
    ...privatePublication(id, version, at),
    ...{ state, access, identifier, revision },
    since: withdrawn === undefined ? at : new Date(withdrawn.at),
    embargo_date: embargoDate,
    embargo_notice: embargoNoticeKey(embargoDate, new Date()),
    reviewed_sha512: digests.reviewed,
    published_at: at,
    withdrawn_at: withdrawn === undefined ? null : new Date(withdrawn.at),
    withdrawn_reason: withdrawn?.reason ?? null,
    // What the DOI states is compared with the archive.
    next_at: new Date(),
  });
  await addEntry(trx, {
    ...{ dataset_id: id, version, actor: SERVICE, action: "published", state, comment: "", at },
    ...{ place: null, answers: null, revision, data: { identifier } },
  });
  await logEvent(trx, submission, published({ dataset: id, version, revision, identifier }), at);
  if (identifier.startsWith(DOI_URL)) {
    await restoreDoi(trx, { doi: identifier.slice(DOI_URL.length), dataset_id: id, version, created_at: at });
  }
}
