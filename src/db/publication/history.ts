import type { Selectable } from "kysely";
import { SERVICE } from "../../publication/rules/states.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { PublicationEntryTable } from "./publication-tables.ts";

export type EntryRow = Selectable<PublicationEntryTable>;

/** Appends to the history of a publication, which must exist. The caller holds the lock of the dataset. */
export async function addEntry(
  trx: Trx,
  entry: Omit<EntryRow, "no" | "at"> & Partial<Pick<EntryRow, "at">>,
): Promise<number> {
  const last = await trx
    .selectFrom("publication_entry")
    .select("no")
    .where("dataset_id", "=", entry.dataset_id)
    .where("version", "=", entry.version)
    .orderBy("no", "desc")
    .limit(1)
    .executeTakeFirst();
  const no = (last?.no ?? 0) + 1;
  await trx
    .insertInto("publication_entry")
    .values({ at: new Date(), ...entry, no, place: jsonOf(entry.place), data: jsonOf(entry.data) })
    .execute();
  return no;
}

/** The newest entries of the history of a publication, newest first. @param before only entries with a lower number */
export async function newestEntries(
  db: Queries,
  { dataset, version, before, limit }: { dataset: string; version: number; before: number | undefined; limit: number },
): Promise<EntryRow[]> {
  let query = db
    .selectFrom("publication_entry")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("version", "=", version);
  if (before !== undefined) query = query.where("no", "<", before);
  return query.orderBy("no", "desc").limit(limit).execute();
}

/** The action of the entry that states what a rebuild has changed according to the archive. */
export const RESTORED = "restored";

/**
 * The last thing that a person did about a publication. What the service did, comments of others and requests for access do not
 * count, because they change nothing for this person.
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
      .where("dataset_id", "=", dataset)
      .where("version", "=", version)
      // After a rebuild, the same action can be necessary again.
      .where((eb) => eb.or([eb("actor", "!=", SERVICE), eb("action", "=", RESTORED)]))
      .where("action", "not like", "access\\_%")
      .where((eb) => eb.or([eb("action", "!=", "comment"), eb("actor", "=", actor)]))
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
