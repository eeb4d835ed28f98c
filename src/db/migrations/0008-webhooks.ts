import { type Kysely, sql } from "kysely";

const statements = [
  sql`create table webhook (
    id uuid primary key,
    owner text not null,
    submission_id uuid references submission on delete cascade,
    url text not null,
    format text not null,
    keys bytea not null,
    public_key text not null,
    old_key_until timestamptz,
    created_at timestamptz not null,
    delivered_at timestamptz,
    disabled_at timestamptz,
    disabled_because text
  )`,
  sql`create index webhook_newest on webhook (owner, created_at desc, id desc)`,
  sql`create index webhook_newest_of_all on webhook (created_at desc, id desc)`,
  sql`create index webhook_of_submission on webhook (submission_id) where submission_id is not null`,
  sql`create table delivery (
    id uuid primary key,
    webhook_id uuid not null references webhook on delete cascade,
    submission_id uuid not null references submission on delete cascade,
    event integer not null,
    status text not null default 'pending',
    created_at timestamptz not null,
    due_at timestamptz not null,
    expires_at timestamptz not null,
    attempts integer not null default 0,
    attempted_at timestamptz,
    answer integer,
    error jsonb
  )`,
  sql`create unique index delivery_lane on delivery (webhook_id, submission_id, event)`,
  sql`create index delivery_newest on delivery (webhook_id, created_at desc, id desc)`,
  sql`create index delivery_done on delivery (created_at) where status != 'pending'`,
  sql`create index delivery_due on delivery (due_at) where status = 'pending'`,
  sql`create table mail_recipient (
    submission_id uuid primary key references submission on delete cascade,
    address bytea not null,
    fingerprint text not null
  )`,
  sql`create table mail (
    submission_id uuid not null references submission on delete cascade,
    event integer not null,
    fingerprint text not null,
    status text not null default 'pending',
    created_at timestamptz not null,
    due_at timestamptz not null,
    expires_at timestamptz not null,
    attempts integer not null default 0,
    primary key (submission_id, event)
  )`,
  sql`create index mail_due on mail (due_at) where status = 'pending'`,
  sql`create index mail_of_recipient on mail (fingerprint, created_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
