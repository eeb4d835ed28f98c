import { sql } from "kysely";
import type { Queries } from "../database.ts";

const MOST = 500;

/** Whether an account has a valid token of a curator or admin. */
export async function holdsCuratorToken(db: Queries, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from token where name = ${name} and role in ('curator', 'admin') and not first
        and (expires_at is null or expires_at > now())) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/**
 * The accounts that can review datasets, by name, with the number of their open reviews.
 *
 * @param usesTokens whether accounts have tokens of the service; otherwise only those are known that have acted as curators
 */
export async function knownCurators(db: Queries, usesTokens: boolean): Promise<{ owner: string; assigned: number }[]> {
  const { rows } = await sql<{ owner: string; assigned: number }>`
    with known as (
      select name as owner from token
      where ${usesTokens}::boolean and role in ('curator', 'admin') and not first
        and (expires_at is null or expires_at > now())
      union
      select actor from publication_entry
      where not ${usesTokens}::boolean and actor <> ''
        and action in ('assign', 'request-changes', 'decline', 'approve', 'withdraw')
    )
    select owner, count(one.dataset_id)::int as assigned
    from known left join publication one
      on one.assignee = known.owner and one.state in ('in_review', 'changes_requested', 'approved')
    group by owner order by lower(owner), owner limit ${MOST}`.execute(db);
  return rows;
}
