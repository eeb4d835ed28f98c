import { type Kysely, sql } from "kysely";

/**
 * The folders of archived versions, with what is below each. The rows of a version are written when its folders are first
 * needed. The row without a name is the folder of all files, and is written last. Byte order, as listings have it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table folder (
    submission_id uuid not null references submission on delete cascade,
    attempt integer not null,
    parent text collate "C" not null,
    name text collate "C" not null,
    files bigint not null,
    bytes bigint not null,
    chunks integer[] not null,
    readme bigint,
    primary key (submission_id, attempt, parent, name)
  )`.execute(db);
}
