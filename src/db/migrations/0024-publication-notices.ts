import { type Kysely, sql } from "kysely";

/** Mails to the parties of a publication, reminders, and notices about the end of an embargo. */
const statements = [
  // Until now all mails went to the address of the submission. The fingerprint of other parties is known when a mail is sent.
  sql`alter table mail add column party text not null default 'submitter'`,
  sql`alter table mail drop constraint mail_pkey`,
  sql`alter table mail add primary key (submission_id, event, party)`,
  sql`alter table mail alter column fingerprint drop not null`,
  sql`create table publication_recipient (
    dataset_id uuid not null,
    version integer not null,
    party text not null,
    account text not null,
    address bytea not null,
    fingerprint text not null,
    primary key (dataset_id, version, party),
    foreign key (dataset_id, version) references publication on delete cascade
  )`,
  sql`create index publication_recipient_account on publication_recipient (account)`,
  sql`alter table publication
    add column reminders integer not null default 0,
    add column embargo_notice text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
