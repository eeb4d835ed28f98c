import { type RawBuilder, sql } from "kysely";
import { searchQueryOf } from "../../domain/submission/search.ts";

/**
 * Ids of submissions that match a query: by a part of the title, or by the prefixes of all its words.
 * @param owner the owner whose submissions are searched; undefined for all owners
 */
export function searchSubmissions(q: string, owner: string | undefined): RawBuilder<string> {
  const { title, words } = searchQueryOf(q);
  // Words are letters and digits, so they need no escaping within the quotes.
  const wanted = words.map((word) => `'${word}':*`).join(" & ");
  // No index of the title supports a search for a part of it.
  const searched =
    owner === undefined
      ? sql`submission_search`
      : sql`submission_search join submission on submission.id = submission_id and submission.owner = ${owner}`;
  const select = sql<string>`select submission_id from ${searched} where`;
  const byTitle = sql<string>`${select} position(${title} in submission_search.title) > 0`;
  if (words.length === 0) return byTitle;
  return sql`${select} words @@ ${wanted}::tsquery union all ${byTitle}`;
}
