import { type Selectable, sql } from "kysely";
import { ADDED_TO_COLLECTION, REMOVED_FROM_COLLECTION } from "../../domain/collection.ts";
import type { LogEntry } from "../../domain/submission/events.ts";
import { EDIT, PUBLICATION_ACTIONS, type PublicationAction, SERVICE } from "../../publication/rules/states.ts";
import type { Queries } from "../database.ts";
import { addVersionEvent } from "../datasets/datasets.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { PublicationEntryTable } from "../tables/publication-tables.ts";
import { storeReviewSoon } from "./records.ts";

export type EntryRow = Selectable<PublicationEntryTable>;

/** Absent: now, no comment, and about nothing in particular. */
type Optional = "at" | "comment" | "place" | "answers" | "data";

/**
 * Appends to the history of a publication, which must exist. The caller holds the lock of the dataset.
 * @param event the same step in the log of the version's submission, for those who are told of it
 */
export async function addEntry(
  trx: Trx,
  given: Omit<EntryRow, "no" | Optional> & Partial<Pick<EntryRow, Optional>>,
  event?: LogEntry,
): Promise<void> {
  const entry = { at: new Date(), comment: "", place: null, answers: null, data: null, ...given };
  const last = await trx
    .selectFrom("publication_entry")
    .select("no")
    .where((eb) => eb.and({ dataset_id: entry.dataset_id, version: entry.version }))
    .orderBy("no", "desc")
    .limit(1)
    .executeTakeFirst();
  const no = (last?.no ?? 0) + 1;
  await trx
    .insertInto("publication_entry")
    .values({ ...entry, no, place: jsonOf(entry.place), data: jsonOf(entry.data) })
    .execute();
  if (DECISIONS.has(entry.action)) await storeReviewSoon(trx, entry);
  if (event !== undefined) await addVersionEvent(trx, entry.dataset_id, entry.version, event);
}

/** Whether the history has an entry with this action. @param of.about only since this time, and about a problem with this code */
export async function hasEntry(
  db: Queries,
  dataset: string,
  version: number,
  { action, about }: { action: string; about?: { code: string; since: Date } },
): Promise<boolean> {
  let query = db
    .selectFrom("publication_entry")
    .select("no")
    .where((eb) => eb.and({ dataset_id: dataset, version, action }));
  if (about !== undefined) {
    query = query.where("at", ">=", about.since).where(sql`data ->> 'code'`, "=", about.code);
  }
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Stores the entries of the archive with their numbers. Entries of the database with the same number follow at the end: they were
 * made after a backup from which the database was restored.
 */
export async function restoreEntries(
  trx: Trx,
  subject: { dataset_id: string; version: number },
  archived: readonly Omit<EntryRow, "dataset_id" | "version">[],
): Promise<void> {
  const known = await entriesAfter(trx, { ...subject, after: 0, limit: MOST_ENTRIES });
  const keys = new Map(archived.map((entry) => [entry.no, entryKey(entry)]));
  const others = known.filter((entry) => (keys.get(entry.no) ?? entryKey(entry)) !== entryKey(entry));
  const last = Math.max(0, ...[...archived, ...known].map(({ no }) => no));
  const moved = new Map(others.map((entry, index) => [entry.no, last + index + 1]));
  for (const entry of others) {
    await trx
      .updateTable("publication_entry")
      .set({
        no: moved.get(entry.no) ?? entry.no,
        answers: entry.answers && (moved.get(entry.answers) ?? entry.answers),
      })
      .where((eb) => eb.and({ dataset_id: subject.dataset_id, version: subject.version, no: entry.no }))
      .execute();
  }
  const kept = new Set(known.map(({ no }) => no).filter((no) => !moved.has(no)));
  for (const entry of archived) {
    if (kept.has(entry.no)) continue;
    await trx
      .insertInto("publication_entry")
      .values({ ...entry, ...subject, place: jsonOf(entry.place), data: jsonOf(entry.data) })
      .execute();
  }
}

/** More than any history has. */
const MOST_ENTRIES = 1_000_000;

/** Two entries with this key are the same one. */
function entryKey({ no, at, actor, action }: Pick<EntryRow, "no" | "at" | "actor" | "action">): string {
  return JSON.stringify([no, at.getTime(), actor, action]);
}

/** Entries of the history after a number, oldest first. */
export async function entriesAfter(
  db: Queries,
  { dataset_id, version, after, limit }: { dataset_id: string; version: number; after: number; limit: number },
): Promise<EntryRow[]> {
  return db
    .selectFrom("publication_entry")
    .selectAll()
    .where((eb) => eb.and({ dataset_id, version }))
    .where("no", ">", after)
    .orderBy("no")
    .limit(limit)
    .execute();
}

/** The entries of all versions of a dataset with one of these actions, in the order of time. */
export async function entriesOfDataset(
  db: Queries,
  dataset: string,
  actions: readonly string[],
): Promise<Pick<EntryRow, "version" | "action" | "actor" | "at" | "data">[]> {
  return db
    .selectFrom("publication_entry")
    .select(["version", "action", "actor", "at", "data"])
    .where("dataset_id", "=", dataset)
    .where("action", "in", actions)
    .orderBy("at")
    .orderBy("version")
    .orderBy("no")
    .execute();
}

/** The newest entries of the history of a publication, newest first. @param before only entries with a lower number */
export async function newestEntries(
  db: Queries,
  { dataset, version, before, limit }: { dataset: string; version: number; before: number | undefined; limit: number },
): Promise<EntryRow[]> {
  let query = db
    .selectFrom("publication_entry")
    .selectAll()
    .where((eb) => eb.and({ dataset_id: dataset, version }));
  if (before !== undefined) query = query.where("no", "<", before);
  return query.orderBy("no", "desc").limit(limit).execute();
}

/** The action of the entry that states what a rebuild has changed according to the archive. */
export const RESTORED = "restored";

/** Steps that decide nothing about the publication. They follow into the archive with the next decision. */
const REMARKS: readonly string[] = ["comment", "resolve"] satisfies PublicationAction[];

/** Entries with which the archive receives the history up to them. */
const DECISIONS: ReadonlySet<string> = new Set([
  ...PUBLICATION_ACTIONS.filter((action) => !REMARKS.includes(action)),
  EDIT,
  "published",
  RESTORED,
  ADDED_TO_COLLECTION,
  REMOVED_FROM_COLLECTION,
]);

/**
 * The last thing that a person did about a publication. What the service did, remarks of others and requests for access do not
 * count, because they change nothing for this person. Edits do not count, because entries name the revision.
 */
export async function lastStepFor(
  db: Queries,
  dataset: string,
  version: number,
  actor: string,
): Promise<EntryRow | undefined> {
  return (
    db
      .selectFrom("publication_entry")
      .selectAll()
      .where((eb) => eb.and({ dataset_id: dataset, version }))
      // After a rebuild, the same action can be necessary again.
      .where((eb) => eb.or([eb("actor", "!=", SERVICE), eb("action", "=", RESTORED)]))
      .where("action", "not like", "access\\_%")
      .where("action", "!=", EDIT)
      .where((eb) => eb.or([eb("action", "not in", REMARKS), eb("actor", "=", actor)]))
      .orderBy("no", "desc")
      .limit(1)
      .executeTakeFirst()
  );
}

/** An entry of the history of a publication; undefined if there is none with this number. */
export async function findEntry(
  db: Queries,
  dataset: string,
  version: number,
  no: number,
): Promise<EntryRow | undefined> {
  const [found] = await newestEntries(db, { dataset, version, before: no + 1, limit: 1 });
  return found?.no === no ? found : undefined;
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
