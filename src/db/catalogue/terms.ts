import { sql } from "kysely";
import type { CatalogueTerm } from "../../public/catalogue/entry.ts";
import type { Trx } from "../submissions/submissions.ts";

/** The ids of terms, which are added if they are new. Those that exist get the label. */
export async function termIds(trx: Trx, terms: readonly CatalogueTerm[]): Promise<number[]> {
  if (terms.length === 0) return [];
  // In one order, so that two processes never wait for each other.
  const sorted = terms.toSorted((one, other) => (`${one.kind} ${one.value}` < `${other.kind} ${other.value}` ? -1 : 1));
  const rows = await trx
    .insertInto("catalogue_term")
    .values(sorted.map(({ kind, value, label }) => ({ kind, value, label })))
    .onConflict((conflict) =>
      conflict.expression(sql`kind, md5(value)`).doUpdateSet((eb) => ({ label: eb.ref("excluded.label") })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}
