import { type Kysely, sql } from "kysely";

/** When mails were sent, which their limit counts. Those that were sent before were due then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`alter table mail add column sent_at timestamptz`,
    sql`update mail set sent_at = due_at where status = 'sent'`,
    sql`create index mail_sent on mail (fingerprint, sent_at)`,
    sql`drop index mail_of_recipient`,
  ]) {
    await change.execute(db);
  }
}
