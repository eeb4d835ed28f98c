import { type RawBuilder, type SqlBool, sql } from "kysely";
import { searchQueryOf } from "../../domain/submission/search.ts";

/**
 * Ids of submissions that match a query: by a part of the title, or by the prefixes of all its words.
 * @param owner the owner whose submissions are searched; undefined for all owners
 */
export function searchSubmissions(q: string, owner: string | undefined): RawBuilder<string> {
  const { byTitle, byWords } = conditionsOf(q);
  // No index of the title supports a search for a part of it.
  const searched =
    owner === undefined
      ? sql`submission_search`
      : sql`submission_search join submission on submission.id = submission_id and submission.owner = ${owner}`;
  const select = sql<string>`select submission_id from ${searched} where`;
  if (byWords === undefined) return sql`${select} ${byTitle}`;
  return sql`${select} ${byWords} union all ${select} ${byTitle}`;
}

/** Whether a row of `submission_search` matches a query: the decision of {@link searchSubmissions} for one submission. */
export function matchesSearch(q: string): RawBuilder<SqlBool> {
  const { byTitle, byWords } = conditionsOf(q);
  return byWords === undefined ? byTitle : sql<SqlBool>`(${byWords} or ${byTitle})`;
}

function conditionsOf(q: string): { byTitle: RawBuilder<SqlBool>; byWords: RawBuilder<SqlBool> | undefined } {
  const { title, words } = searchQueryOf(q);
  // Words are letters and digits, so they need no escaping within the quotes.
  const wanted = words.map((word) => `'${word}':*`).join(" & ");
  return {
    byTitle: sql<SqlBool>`position(${title} in submission_search.title) > 0`,
    byWords: words.length === 0 ? undefined : sql<SqlBool>`submission_search.words @@ ${wanted}::tsquery`,
  };
}
