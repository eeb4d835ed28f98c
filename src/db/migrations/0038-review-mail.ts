import { type Kysely, sql } from "kysely";

/**
 * Reminders of requests for access; since when the reservation of a DOI fails, and whether the operator was told; which recipients
 * have already received a mail, and which address the mail server refuses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`alter table access_request
      add column reminded_at timestamptz,
      add column reminders integer not null default 0`,
    sql`alter table doi
      add column failing_since timestamptz,
      add column failure_told boolean not null default false`,
    sql`alter table mail add column delivered_to text[] not null default '{}'`,
    sql`alter table publication_recipient
      add column refused_at timestamptz,
      add column refused_status integer`,
  ]) {
    await change.execute(db);
  }
}
