import { type Kysely, sql } from "kysely";

/** Since when the reservation of a DOI fails, is a member of its problem, as for a publication. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update doi set problem = problem || jsonb_build_object(
      'since', to_char(failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    where failing_since is not null and problem is not null`.execute(db);
  await sql`alter table doi drop column failing_since`.execute(db);
}
