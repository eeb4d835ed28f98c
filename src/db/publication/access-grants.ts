import type { Selectable } from "kysely";
import { isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import type { AccessGrantTable } from "../tables/access-tables.ts";

export type GrantRow = Selectable<AccessGrantTable>;

/** A person, as grants name them. */
export interface Person {
  subject: string;
  /** Verified, in lower case; undefined if none is. */
  email: string | undefined;
}

export async function addGrant(trx: Queries, grant: GrantRow): Promise<void> {
  await trx.insertInto("access_grant").values(grant).execute();
}

/** The grants of a dataset, newest first; also those that have ended. */
export async function grantsOf(db: Queries, dataset: string): Promise<GrantRow[]> {
  return db
    .selectFrom("access_grant")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** The grant with this id, also if it has ended; undefined for a text that is not an id. */
export async function findGrant(db: Queries, id: string): Promise<GrantRow | undefined> {
  if (!isUuid(id)) return undefined;
  return db.selectFrom("access_grant").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The grant of a link by the hash of its secret, also if it has ended. */
export async function grantOfHash(db: Queries, hash: Uint8Array): Promise<GrantRow | undefined> {
  return db.selectFrom("access_grant").selectAll().where("hash", "=", hash).executeTakeFirst();
}

/** The grants of a dataset that name this person, and were not revoked. */
export async function grantsTo(db: Queries, dataset: string, { subject, email }: Person): Promise<GrantRow[]> {
  return db
    .selectFrom("access_grant")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("subject", "=", subject), ...(email === undefined ? [] : [eb("email", "=", email)])]))
    .execute();
}

/** Revokes a grant. @returns false if it was revoked before */
export async function revokeGrant(trx: Queries, id: string, by: string): Promise<boolean> {
  const revoked = await trx
    .updateTable("access_grant")
    .set({ revoked_at: new Date(), revoked_by: by })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return revoked.numUpdatedRows === 1n;
}

/** Whether a grant exists and was not revoked; also true if it has expired. */
export async function isGranted(db: Queries, id: string): Promise<boolean> {
  const found = await findGrant(db, id);
  return found !== undefined && found.revoked_at === null;
}

/** Deletes the grants and requests of a dataset, which contain data about people. */
export async function removeAccess(trx: Queries, dataset: string): Promise<void> {
  await trx.deleteFrom("access_request").where("dataset_id", "=", dataset).execute();
  await trx.deleteFrom("access_grant").where("dataset_id", "=", dataset).execute();
}
