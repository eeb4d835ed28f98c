import type { Selectable } from "kysely";
import type { Queries } from "./open.ts";
import type { DatasetTable, DatasetVersionTable } from "./schema.ts";

/** The dataset of that id, or undefined; anything that is no id finds nothing. */
export async function findDataset(db: Queries, id: string): Promise<Selectable<DatasetTable> | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined;
  return db.selectFrom("dataset").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Newest first. */
export async function versionsOf(db: Queries, id: string): Promise<Selectable<DatasetVersionTable>[]> {
  return db.selectFrom("dataset_version").selectAll().where("dataset_id", "=", id).orderBy("version", "desc").execute();
}
