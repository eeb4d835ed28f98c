import { sql } from "kysely";
import type { Queries } from "../database.ts";

/**
 * Spaces requests to a service with a limit, over all processes of a database: each call takes the next slot of this name.
 *
 * @param intervalMs between two slots
 * @returns milliseconds to wait until the slot
 */
export async function takeSlot(db: Queries, name: string, intervalMs: number): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    insert into turn (name, taken_at) values (${name}, clock_timestamp())
    on conflict (name) do update
      set taken_at = greatest(turn.taken_at + ${intervalMs} * interval '1 millisecond', clock_timestamp())
    returning (extract(epoch from taken_at - clock_timestamp()) * 1000)::float as wait`.execute(db);
  return Math.max(0, rows[0]?.wait ?? 0);
}

/** Postpones all later slots of this name, because the service asked for a pause. */
export async function pauseSlots(db: Queries, name: string, pauseMs: number): Promise<void> {
  await sql`
    insert into turn (name, taken_at) values (${name}, clock_timestamp() + ${pauseMs} * interval '1 millisecond')
    on conflict (name) do update set taken_at = greatest(turn.taken_at, excluded.taken_at)`.execute(db);
}
