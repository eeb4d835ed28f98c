import { type Selectable, sql } from "kysely";
import { isUuid } from "../domain/uuid.ts";
import type { Queries } from "./database.ts";
import type { TokenTable } from "./tables/tables.ts";

type TokenRow = Selectable<TokenTable>;
/** A token without its hash, for display. */
export type TokenView = Omit<TokenRow, "hash">;

const VISIBLE = ["id", "name", "role", "first", "created_at", "expires_at", "last_used_at"] as const;
/** Serialises checks of all tokens: whether an admin exists, and whether a token is the last one of an admin. */
const ADMINS_LOCK = 7_204_311;

/** The token with this hash, also if it has expired. */
export async function tokenOfHash(db: Queries, hash: Uint8Array): Promise<TokenView | undefined> {
  return db.selectFrom("token").select(VISIBLE).where("hash", "=", hash).executeTakeFirst();
}

/** Whether a token with this id exists, also if it has expired. Revoked tokens are deleted. */
export async function hasToken(db: Queries, id: string): Promise<boolean> {
  return (await db.selectFrom("token").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** Prevents the revocation of a token for the rest of the transaction; false if it no longer exists. */
export async function holdToken(trx: Queries, id: string): Promise<boolean> {
  return (
    (await trx.selectFrom("token").select("id").where("id", "=", id).forKeyShare().executeTakeFirst()) !== undefined
  );
}

/** Newest first. */
export async function allTokens(db: Queries): Promise<TokenView[]> {
  return db.selectFrom("token").select(VISIBLE).orderBy("created_at", "desc").orderBy("id").execute();
}

export async function recordUse(db: Queries, id: string, at: Date): Promise<void> {
  await db.updateTable("token").set({ last_used_at: at }).where("id", "=", id).execute();
}

/**
 * Adds a token. The first token of an admin replaces the initial token; returns whether the initial token existed. With
 * `byFirst`, no token is added if it did not, so that the initial token can be used only once.
 */
export async function addToken(db: Queries, token: Omit<TokenRow, "last_used_at">, byFirst: boolean): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADMINS_LOCK)})`.execute(trx);
    const replaces = token.role === "admin" && !token.first;
    const replaced = replaces && (await trx.deleteFrom("token").where("first", "=", true).executeTakeFirst());
    const isReplaced = replaced !== false && replaced.numDeletedRows > 0n;
    if (!byFirst || isReplaced) await trx.insertInto("token").values(token).execute();
    return isReplaced;
  });
}

/** Deletes a token, except the last valid token of an admin. */
export async function removeToken(db: Queries, id: string): Promise<"removed" | "missing" | "last_admin"> {
  if (!isUuid(id)) return "missing";
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADMINS_LOCK)})`.execute(trx);
    const found = await trx.selectFrom("token").select(["role", "expires_at"]).where("id", "=", id).executeTakeFirst();
    if (found === undefined) return "missing";
    const isWorkingAdmin = found.role === "admin" && (found.expires_at === null || found.expires_at > new Date());
    if (isWorkingAdmin && (await countAdmins(trx)) === 1) return "last_admin";
    await trx.deleteFrom("token").where("id", "=", id).execute();
    return "removed";
  });
}

/** Whether an admin has a valid token other than the initial token. */
export async function hasAdmin(db: Queries): Promise<boolean> {
  return (await countAdmins(db, false)) > 0;
}

/** Whether the initial token exists. */
export async function hasFirst(db: Queries): Promise<boolean> {
  return (await db.selectFrom("token").select("id").where("first", "=", true).executeTakeFirst()) !== undefined;
}

/** Deletes the initial token. */
export async function removeFirst(db: Queries): Promise<void> {
  await db.deleteFrom("token").where("first", "=", true).execute();
}

async function countAdmins(db: Queries, first?: boolean): Promise<number> {
  let query = db
    .selectFrom("token")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("role", "=", "admin")
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", new Date())]));
  if (first !== undefined) query = query.where("first", "=", first);
  const { count } = await query.executeTakeFirstOrThrow();
  return Number(count);
}
