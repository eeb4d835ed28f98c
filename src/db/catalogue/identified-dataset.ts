import { sql } from "kysely";
import type { Queries } from "../database.ts";

/** A DOI alone, after `doi:`, or as the address of its resolver. */
const DOI = /^(?:doi:\s*|https?:\/\/(?:www\.|dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S+)$/i;
/** The id of a dataset alone, after `urn:uuid:`, or in the address of one of its pages. */
const ID =
  /^(?:urn:uuid:|https?:\/\/\S+\/datasets?\/)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[/?#]\S*)?$/i;

/**
 * Returns the dataset that a search text identifies, if the text has the form of an identifier: the id of a dataset, or a DOI that the
 * public may know, which is that of any published version or of all versions. Undefined for other texts. The id is not
 * looked up.
 */
export async function identifiedDataset(db: Queries, q: string): Promise<string | undefined> {
  const text = q.trim();
  const [, id] = ID.exec(text) ?? [];
  if (id !== undefined) return id.toLowerCase();
  const [, doi] = DOI.exec(text) ?? [];
  return doi === undefined ? undefined : datasetOfDoi(db, doi);
}

/** DOIs do not distinguish upper and lower case; those of the service are in lower case. Version 0 is the dataset as a whole. */
async function datasetOfDoi(db: Queries, doi: string): Promise<string | undefined> {
  const { rows } = await sql<{ dataset: string }>`
    select dataset_id as dataset from doi where doi = ${doi.toLowerCase()} and state = 'findable' and exists (
      select 1 from publication where publication.dataset_id = doi.dataset_id and published_at is not null
        and doi.version in (0, publication.version))`.execute(db);
  return rows[0]?.dataset;
}
