import { type Kysely, sql } from "kysely";

/** Searches find more of the metadata: the service describes published versions again, one after the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update publication set catalogued = false where state = 'published' and published_at is not null`.execute(
    db,
  );
}
