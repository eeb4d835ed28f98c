import { sql } from "kysely";
import type { Queries } from "./open.ts";

/**
 * Lets later versions of chunks take the room of earlier ones: every change writes a chunk anew. A server sees to that
 * by itself, the embedded database does not. Takes some milliseconds; not to be called in a transaction.
 */
export async function reclaimRoom(db: Queries): Promise<void> {
  await sql`vacuum (skip_locked) chunk`.execute(db);
}
