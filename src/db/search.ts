import { type RawBuilder, sql } from "kysely";
import { searchQueryOf } from "../submission/search.ts";

/** Ids of submissions that a query finds: by a part of the title, or by the beginnings of all its words. */
export function foundBy(q: string): RawBuilder<string> {
  const { title, words } = searchQueryOf(q);
  // Words are letters and digits, so they need no escaping within the quotes.
  const wanted = words.map((word) => `'${word}':*`).join(" & ");
  const byTitle = sql<string>`select submission_id from submission_search where position(${title} in title) > 0`;
  if (words.length === 0) return byTitle;
  return sql`select submission_id from submission_search where words @@ ${wanted}::tsquery union all ${byTitle}`;
}
