import { sql } from "kysely";
import { isUuid } from "../../domain/uuid.ts";
import { CONCEPT } from "../../publication/rules/doi.ts";
import { datestampAt } from "../catalogue/harvest.ts";
import type { Queries } from "../database.ts";
import type { PublicationRow } from "./publications.ts";

/** What the public sees of a dataset does not change without one of these members, except for numbers of use. */
export interface LandingState {
  id: string;
  owner: string;
  latest_version: number;
  latest_revision: number;
  withdrawn_at: Date | null;
  audited_at: Date | null;
  is_intact: boolean | null;
  /** The registered DOI of all versions. */
  concept_doi: string | null;
  /** Each collection with its number of changes. */
  collections: string[];
  /** In no order. Versions that were never requested for publication are left out. */
  publications: Pick<
    PublicationRow,
    | "version"
    | "state"
    | "announced_at"
    | "published_at"
    | "retracted_at"
    | "access"
    | "embargo_date"
    | "changes"
    | "renewals"
  >[];
}

/** The states of datasets that decide about their landing pages, by id, with one query. Texts that are no ids have none. */
export async function findLandingStates(db: Queries, texts: readonly string[]): Promise<Map<string, LandingState>> {
  const ids = texts.filter(isUuid);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("dataset")
    .leftJoin("audit", (join) => join.onRef("audit.dataset_id", "=", "dataset.id").on("audit.at", "is not", null))
    .leftJoin("publication", "publication.dataset_id", "dataset.id")
    .select([
      "dataset.id",
      "dataset.owner",
      "dataset.latest_version",
      "dataset.latest_revision",
      "dataset.withdrawn_at",
    ])
    .select(["audit.at as audited_at", "audit.ok as is_intact"])
    .select((eb) =>
      eb
        .selectFrom("doi")
        .select("doi.doi")
        .whereRef("doi.dataset_id", "=", "dataset.id")
        .where((of) => of.and({ "doi.version": CONCEPT, "doi.state": "findable" }))
        .as("concept_doi"),
    )
    .select(
      sql<string[]>`array(
        select collection.id || ' ' || collection.changes from collection_dataset as member
        join collection on collection.id = member.collection_id
        where member.dataset_id = dataset.id order by collection.id)`.as("collections"),
    )
    .select(["publication.version", "publication.state", "announced_at", "published_at", "retracted_at"])
    .select(["access", "embargo_date", "changes", "renewals"])
    .where("dataset.id", "in", ids)
    .execute();
  const states = new Map<string, LandingState>();
  for (const { version, state, access, changes, renewals, announced_at, ...row } of rows) {
    const { published_at, retracted_at, embargo_date, ...dataset } = row;
    const known = states.get(row.id) ?? { ...dataset, publications: [] };
    states.set(row.id, known);
    if (version === null || state === null || access === null || changes === null || renewals === null) continue;
    const times = { announced_at, published_at, retracted_at, embargo_date };
    known.publications.push({ version, state, ...times, access, changes, renewals });
  }
  return states;
}

/**
 * When the public last saw a change of a dataset: of its entries in the catalogue, also of versions that were withdrawn, or of the
 * access to published versions, which the entries follow later. Undefined if neither exists.
 */
export async function lastPublicChange(db: Queries, dataset: string, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select greatest(
      (select max(${datestampAt(now)}) from catalogue_entry where dataset_id = ${dataset}::uuid),
      (select max(entry.at) from publication_entry as entry join publication using (dataset_id, version)
        where dataset_id = ${dataset}::uuid and action = 'change-access' and published_at is not null)) as at`.execute(
    db,
  );
  return rows[0]?.at ?? undefined;
}
