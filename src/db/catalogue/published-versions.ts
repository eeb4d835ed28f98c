import { sql } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import type { Queries } from "../database.ts";
import type { EntryKey } from "./entries.ts";

/** Everything that public descriptions of a published version need, read at once. */
export interface PublishedVersion extends EntryKey {
  access: AccessKind;
  embargo_date: string | null;
  opened_on: string | null;
  published_at: Date | null;
  /** When it was archived. */
  archived_at: Date;
  objects: number;
  bytes: number;
  /** The newest published version of its dataset. */
  latest: number;
  /** Those of its dataset that are or were published. */
  versions: number[];
  revision: number | null;
  metadata: NormalizedMetadata;
  submission_id: string;
  attempt: number;
  endpoint: string;
  region: string | null;
  bucket: string;
  selection: object;
}

/**
 * Those of the versions that are published now. Versions that are not, for example because they were withdrawn since the
 * catalogue was read, are missing.
 */
export async function publishedVersions(db: Queries, keys: readonly EntryKey[]): Promise<PublishedVersion[]> {
  if (keys.length === 0) return [];
  const datasets = keys.map(({ dataset_id }) => dataset_id);
  const versions = keys.map(({ version }) => version);
  const { rows } = await sql<PublishedVersion>`
    select publication.dataset_id, publication.version, publication.access, publication.embargo_date,
      publication.opened_on, publication.published_at,
      archived.published_at as archived_at,
      archived.objects, archived.bytes, revised.revision, coalesce(revised.metadata, submission.metadata) as metadata,
      (select max(version) from publication as other
        where other.dataset_id = publication.dataset_id and state = 'published') as latest,
      (select array_agg(version order by version) from publication as other
        where other.dataset_id = publication.dataset_id and published_at is not null) as versions,
      submission.id as submission_id, attempt, endpoint, region, bucket, selection
    from unnest(${datasets}::uuid[], ${versions}::integer[]) as wanted (dataset_id, version)
    join publication using (dataset_id, version)
    join dataset on dataset.id = publication.dataset_id
    join dataset_version as archived using (dataset_id, version)
    join submission on submission.id = archived.submission_id
    left join lateral (
      select revision, metadata from metadata_revision
      where metadata_revision.dataset_id = wanted.dataset_id and metadata_revision.version = wanted.version
        and metadata_revision.published_at is not null and metadata_revision.finished_at is not null
      order by metadata_revision.ocfl_version desc limit 1) as revised on true
    where publication.state = 'published' and dataset.withdrawn_at is null`.execute(db);
  return rows;
}
