import type { Insertable, Selectable } from "kysely";
import { isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import type { AccessRequestTable } from "../tables/access-tables.ts";

export type AccessRequestRow = Selectable<AccessRequestTable>;

/** Time after which an answered request is deleted, because it contains data about a person. */
const KEPT_MS = 365 * 86_400_000;

/** Stores a request. The person has no open request for the dataset. */
export async function addAccessRequest(trx: Queries, request: Insertable<AccessRequestTable>): Promise<void> {
  await trx.insertInto("access_request").values(request).execute();
}

/** Deletes requests that were answered long ago. */
export async function forgetAccessRequests(db: Queries): Promise<void> {
  await db
    .deleteFrom("access_request")
    .where("decided_at", "<", new Date(Date.now() - KEPT_MS))
    .execute();
}

/** Whether a person has an open request for a dataset. People without an account are known by their e-mail address. */
export async function hasOpenRequest(
  db: Queries,
  { dataset_id, account, email }: Pick<AccessRequestRow, "dataset_id" | "account" | "email">,
): Promise<boolean> {
  const open = db
    .selectFrom("access_request")
    .select("id")
    .where((eb) => eb.and({ dataset_id, state: "open" }));
  const own =
    account === null
      ? open.where("account", "is", null).where("email", "=", email)
      : open.where("account", "=", account);
  return (await own.executeTakeFirst()) !== undefined;
}

/** The number of open requests for a dataset, either of people with an account or of people without one. */
export async function countOpenRequests(db: Queries, dataset: string, hasAccount: boolean): Promise<number> {
  const { number } = await db
    .selectFrom("access_request")
    .select((eb) => eb.fn.countAll<string>().as("number"))
    .where((eb) => eb.and({ dataset_id: dataset, state: "open" }))
    .where("account", hasAccount ? "is not" : "is", null)
    .executeTakeFirstOrThrow();
  return Number(number);
}

/** The requests for a dataset, newest first. @param account only those of this account */
export async function accessRequestsOf(db: Queries, dataset: string, account?: string): Promise<AccessRequestRow[]> {
  let query = db.selectFrom("access_request").selectAll().where("dataset_id", "=", dataset);
  if (account !== undefined) query = query.where("account", "=", account);
  return query.orderBy("created_at", "desc").orderBy("id").execute();
}

/** The request with this id for a dataset; undefined if there is none. */
export async function findAccessRequest(
  db: Queries,
  dataset: string,
  id: string,
): Promise<AccessRequestRow | undefined> {
  if (!isUuid(id)) return undefined;
  return db
    .selectFrom("access_request")
    .selectAll()
    .where((eb) => eb.and({ dataset_id: dataset, id }))
    .executeTakeFirst();
}

/** Stores the answer to an open request. */
export async function decideAccessRequest(
  trx: Queries,
  id: string,
  decision: Pick<AccessRequestRow, "state" | "decided_by" | "answer" | "grant_id">,
): Promise<void> {
  await trx
    .updateTable("access_request")
    .set({ ...decision, decided_at: new Date() })
    .where("id", "=", id)
    .execute();
}
