import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import { matchesSearch, searchSubmissions } from "../submissions/search.ts";

/** Maximum number of matches that are read from the indexes. Of more, a page is full after few entries in the order of the list. */
const MOST = 1_000;

/** Resolvers and schemes with which people copy identifiers. */
const PREFIXES = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:|urn:uuid:)/;

const IS_KNOWN = sql`doi.state in ('draft', 'findable', 'hidden')`;

/**
 * The condition for publications that match a text: by a part of the title or owner, by words of the metadata, by the id of the
 * dataset, or by a part of a DOI. For a query of `publication as one` with `dataset`, `dataset_version as version` and
 * `submission_search`.
 *
 * @param owner the owner whose publications are searched; undefined for all owners
 */
export async function publicationSearch(
  db: Queries,
  q: string,
  owner: string | undefined,
): Promise<RawBuilder<SqlBool>> {
  const text = q.trim().toLowerCase().replace(PREFIXES, "");
  const owners = await ownersLike(db, q.trim());
  const hasDoi = sql`${IS_KNOWN} and position(${text} in doi.doi) > 0`;
  const found = [
    searchSubmissions(q, owner),
    sql`select submission_id from doi join dataset_version as known using (dataset_id, version) where ${hasDoi}`,
  ];
  const alternatives = [
    matchesSearch(q),
    sql`exists (select from doi where doi.dataset_id = one.dataset_id and doi.version = one.version and ${hasDoi})`,
  ];
  if (owners.length > 0) {
    found.push(sql`
      select submission_id from dataset as owned join dataset_version as known on known.dataset_id = owned.id
      where owned.owner = any(${owners})`);
    alternatives.push(sql`dataset.owner = any(${owners})`);
  }
  if (isUuid(text)) {
    found.push(sql`select submission_id from dataset_version as known where known.dataset_id = ${text}::uuid`);
    alternatives.push(sql`one.dataset_id = ${text}::uuid`);
  }
  const { rows } = await sql<{ submission_id: string }>`
    select submission_id from (${sql.join(found, sql` union all `)}) as found limit ${MOST + 1}`.execute(db);
  if (rows.length > MOST) return sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`;
  return sql<SqlBool>`version.submission_id = any(${rows.map((row) => row.submission_id)}::uuid[])`;
}

/** The owners with a part of their name. Accounts of an identity provider begin with its address, which all of them share. */
async function ownersLike(db: Queries, part: string): Promise<string[]> {
  // With “offset”, each name is compared once, and not for each of its datasets.
  const { rows } = await sql<{ owner: string }>`
    select owner from (select distinct owner from dataset offset 0) as known
    where position(${part.toLowerCase()} in lower(substring(owner from '[^#]*$'))) > 0 or owner = ${part}`.execute(db);
  return rows.map((row) => row.owner);
}
