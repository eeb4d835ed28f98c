import { type Kysely, sql } from "kysely";

/** Stores the receipt's verdict about deleting the source separately, because a receipt can be long and is signed text. */
const statements = [
  sql`alter table submission add column verdict jsonb`,
  sql`update submission set verdict = (
    select jsonb_build_object('sourceMayBeDeleted', said -> 'sourceMayBeDeleted', 'statement', said -> 'statement')
    from (select translate(split_part(receipt, '.', 2), '-_', '+/') as text) as payload,
    lateral (select convert_from(decode(rpad(text, (length(text) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb as said) as receipt
  ) where receipt is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
