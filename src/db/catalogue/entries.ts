import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { CatalogueSummary, CatalogueText, TermKind } from "../../public/catalogue/entry.ts";
import { isOpen } from "../../publication/rules/access.ts";
import type { Queries } from "../database.ts";
import { lockDataset } from "../datasets/datasets.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { PublicationTable } from "../tables/publication-tables.ts";
import { collectionTermsOf } from "./collection-terms.ts";
import { holdHarvests } from "./harvest-lock.ts";
import { followEntries } from "./searched.ts";
import { termIds } from "./terms.ts";

type PublicationRow = Selectable<PublicationTable>;

/** Identifies a version in the catalogue. */
export type EntryKey = Pick<PublicationRow, "dataset_id" | "version">;

/** The kinds of terms that are sets for harvesters. */
const SET_KINDS: TermKind[] = ["type", "collection"];
/** Kind of terms that are read from the files. */
const FILE_KIND: TermKind = "format";

/** What the catalogue stores of a version. */
export interface NewEntry extends CatalogueText {
  revision: number;
  summary: CatalogueSummary;
  /** Folded words of file names; undefined to keep those that are stored. */
  fileText: string | undefined;
}

/** Versions whose present state the catalogue does not have, those that have waited longest first. */
export async function uncatalogued(db: Queries, limit: number): Promise<EntryKey[]> {
  return (
    db
      .selectFrom("publication")
      .select(["dataset_id", "version"])
      .where("catalogued", "=", false)
      .where("state", "in", ["published", "withdrawn"])
      // A version that was withdrawn before it was published was never in the catalogue.
      .where("published_at", "is not", null)
      // What searches do not find yet comes before what is described anew.
      .orderBy((eb) =>
        eb.exists(
          eb
            .selectFrom("catalogue_entry as entry")
            .select("entry.no")
            .whereRef("entry.dataset_id", "=", "publication.dataset_id")
            .whereRef("entry.version", "=", "publication.version"),
        ),
      )
      .orderBy("since")
      .limit(limit)
      .execute()
  );
}

/** Whether the names of the files of a version were read before. They never change. */
export async function hasFileText(db: Queries, { dataset_id, version }: EntryKey): Promise<boolean> {
  const row = await db
    .selectFrom("catalogue_entry")
    .select("no")
    .where((eb) => eb.and({ dataset_id, version }))
    .where("file_words", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks a dataset and marks that the catalogue has the present state of a publication. A change that commits later marks it
 * again.
 * @returns undefined if the catalogue already has it
 */
export async function beginEntry(trx: Trx, { dataset_id, version }: EntryKey): Promise<PublicationRow | undefined> {
  // The same lock as that of people's actions, before any other: otherwise both could wait for each other.
  await lockDataset(trx, dataset_id);
  return (
    trx
      .updateTable("publication")
      .set({ catalogued: true })
      .where((eb) => eb.and({ dataset_id, version }))
      .where("catalogued", "=", false)
      .where("state", "in", ["published", "withdrawn"])
      // A version that was withdrawn before it was published was never in the catalogue.
      .where("published_at", "is not", null)
      .returningAll()
      .executeTakeFirst() as Promise<PublicationRow | undefined>
  );
}

/** Stores the entry of a published version, and which version of its dataset is the newest. The caller holds the lock of `beginEntry`. */
export async function saveEntry(trx: Trx, row: PublicationRow, entry: NewEntry): Promise<void> {
  const terms = await termIds(trx, entry.terms);
  await holdHarvests(trx);
  const { title, names, others } = entry.texts;
  const heading = sql<string>`setweight(${vectorOf(title)}, 'A') || setweight(${vectorOf(names)}, 'B')`;
  const values = {
    changed_at: NOW,
    basis: basisOf(row, entry),
    visible: true,
    access: row.access,
    embargo_date: row.embargo_date,
    published_at: row.published_at ?? row.since,
    revision: entry.revision,
    title: entry.title,
    sort_title: entry.sortTitle,
    summary: JSON.stringify(entry.summary),
    terms: sql<number[]>`${terms}::integer[] || ${collectionTermsOf(row.dataset_id)}`,
    heading,
    words: sql<string>`${heading} || setweight(${vectorOf(others)}, 'C')`,
    ...(entry.fileText !== undefined && { file_words: sql<string>`to_tsvector('simple', ${entry.fileText})` }),
  };
  await trx
    .insertInto("catalogue_entry")
    .values({ dataset_id: row.dataset_id, version: row.version, newest: false, ...values })
    .onConflict((conflict) =>
      conflict.columns(["dataset_id", "version"]).doUpdateSet({
        ...values,
        changed_at: CHANGED_AT,
        // The formats of the files are not read again.
        ...(entry.fileText === undefined && {
          terms: sql<number[]>`excluded.terms || array(
            select id from catalogue_term where id = any(catalogue_entry.terms) and kind = ${FILE_KIND})`,
        }),
      }),
    )
    .execute();
  await chooseNewest(trx, row.dataset_id);
}

/**
 * Empties the entry of a version that was withdrawn. It stays with its resource type, because harvesters must learn that it is
 * deleted from the sets in which they found it. If the database was rebuilt from the archive, the entry is added.
 */
export async function emptyEntry(trx: Trx, row: PublicationRow): Promise<void> {
  await holdHarvests(trx);
  const { dataset_id, version, published_at, since, withdrawn_at } = row;
  const wasOpen = isOpen({ access: row.access, embargoDate: row.embargo_date }, withdrawn_at ?? new Date());
  const values = {
    // An embargo that ends later changes nothing.
    ...{ access: wasOpen ? ("open" as const) : row.access, embargo_date: null },
    ...{ title: "", sort_title: "", summary: "{}", heading: "", words: "", file_words: "" },
    ...{ changed_at: NOW, basis: basisOf(row), visible: false, newest: false },
  };
  await trx
    .insertInto("catalogue_entry")
    .values({
      ...{ dataset_id, version, published_at: published_at ?? since, revision: 1, terms: [] },
      ...values,
    })
    .onConflict((conflict) =>
      conflict.columns(["dataset_id", "version"]).doUpdateSet({
        ...values,
        changed_at: CHANGED_AT,
        terms: sql<number[]>`array(
          select id from catalogue_term where id = any(catalogue_entry.terms) and kind = any(${SET_KINDS}))`,
      }),
    )
    .execute();
  await chooseNewest(trx, dataset_id);
}

/**
 * Repeats in the catalogue, within the transaction of a change, who may see a version: its entry is emptied if it was withdrawn.
 * Texts of a version that is new, or whose metadata have changed, follow, because they are read from many rows.
 */
export async function followPublication(trx: Trx, row: PublicationRow): Promise<void> {
  const { dataset_id, version, state, access, embargo_date, published_at } = row;
  // It was never in the catalogue.
  if (published_at === null) return;
  if (state === "withdrawn") return emptyEntry(trx, row);
  await trx
    .updateTable("catalogue_entry")
    .set({ visible: state === "published", access, embargo_date })
    .where((eb) => eb.and({ dataset_id, version }))
    .execute();
  await chooseNewest(trx, dataset_id);
}

const NOW = sql<Date>`clock_timestamp()`;

/** The time of an entry that is written again: the same if the public state is the same. */
const CHANGED_AT = sql<Date>`case
  when catalogue_entry.basis = excluded.basis then catalogue_entry.changed_at else clock_timestamp() end`;

/**
 * A digest of what the public sees of a version. Comments and other private actions do not change it; `renewals` counts what
 * other versions and the registration change.
 */
function basisOf(row: PublicationRow, entry?: NewEntry): string {
  const { state, access, embargo_date, published_at, identifier, withdrawn_at, withdrawn_reason, renewals } = row;
  const own = { state, access, embargo_date, published_at, identifier, withdrawn_at, withdrawn_reason, renewals };
  // Files never change, and are described only once.
  const described = entry && [entry.revision, entry.texts, entry.summary];
  return createHash("sha256")
    .update(JSON.stringify([own, described]))
    .digest("base64url");
}

/** Decides which version of a dataset is the newest, and repeats for searches what they find of it. */
async function chooseNewest(trx: Trx, dataset: string): Promise<void> {
  await sql`update catalogue_entry set newest = not newest where dataset_id = ${dataset} and newest <> (version = coalesce((
    select max(version) from catalogue_entry where dataset_id = ${dataset} and visible), -1))`.execute(trx);
  await followEntries(trx, sql`dataset_id = ${dataset}`);
}

/** The words of a folded text as they are written, and their stems in English and German. */
function vectorOf(text: string) {
  return sql<string>`(to_tsvector('simple', ${text}) || to_tsvector('english', ${text}) || to_tsvector('german', ${text}))`;
}
