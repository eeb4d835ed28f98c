import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";

const MOST = 500;

/** How people sign in, which decides how the service knows its curators. */
export type SignInMethod = "none" | "tokens" | "oidc";

/**
 * The names of the accounts that are curators or admins now: those with a valid token, or those whose last sign-in with the identity
 * provider gave them the role. Without sign-in, the only account is the local one.
 */
export function curatorNames(method: SignInMethod): RawBuilder<string> {
  switch (method) {
    case "none":
      return sql`select 'local'::text`;
    case "tokens":
      return sql`select name from token where role in ('curator', 'admin') and not first
        and (expires_at is null or expires_at > now())`;
    case "oidc":
      return sql`select account from known_curator`;
  }
}

/** Whether an account is a curator or admin now. */
export async function isCurator(db: Queries, method: SignInMethod, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${name} in (${curatorNames(method)}) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** The accounts that can review datasets, by name, with the number of their open reviews. */
export async function knownCurators(db: Queries, method: SignInMethod): Promise<{ owner: string; assigned: number }[]> {
  const { rows } = await sql<{ owner: string; assigned: number }>`
    with known (owner) as (select distinct * from (${curatorNames(method)}) as found)
    select owner, count(one.dataset_id)::int as assigned
    from known left join publication one
      on one.assignee = known.owner and one.state in ('in_review', 'changes_requested', 'approved')
    group by owner order by lower(owner), owner limit ${MOST}`.execute(db);
  return rows;
}

/** Records whether an account of an identity provider has the role of a curator or admin. */
export async function recordCurator(db: Queries, account: string, isCurator: boolean): Promise<void> {
  if (isCurator) {
    await db
      .insertInto("known_curator")
      .values({ account })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else await forgetCurator(db, account);
}

/** Removes an account of an identity provider from the known curators. @returns whether it was one */
export async function forgetCurator(db: Queries, account: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("known_curator")
    .where("account", "=", account)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
