import { sql } from "kysely";
import { type ObjectRow, type ObjectState, toObject } from "./objects.ts";
import type { Queries } from "./open.ts";

/** Objects in listing order, of a state and below a path's beginning. */
export async function filesAfter(
  db: Queries,
  id: string,
  attempt: number,
  filter: { state?: ObjectState | undefined; prefix?: string | undefined; after: number; limit: number },
): Promise<ObjectRow[]> {
  let query = db
    .selectFrom("object")
    .selectAll()
    .where("submission_id", "=", id)
    .where("attempt", "=", attempt)
    .where("seq", ">", filter.after);
  if (filter.state !== undefined) query = query.where("state", "=", filter.state);
  if (filter.prefix !== undefined && filter.prefix !== "") query = query.where(beginsWith(filter.prefix));
  return (await query.orderBy("seq").limit(filter.limit).execute()).map(toObject);
}

/** Paths are `data/` + key where the table does not say otherwise. */
function beginsWith(prefix: string) {
  const folder = "data/";
  const own = sql<boolean>`(path is not null and starts_with(path, ${prefix}))`;
  if (folder.startsWith(prefix)) return sql<boolean>`true`;
  if (!prefix.startsWith(folder)) return own;
  const start = Buffer.from(prefix.slice(folder.length), "utf8");
  return sql<boolean>`(${own} or (path is null and substring(key from 1 for ${start.length}) = ${start}))`;
}
