import type { Selectable } from "kysely";
import type { AccountProblem } from "../../publication/rules/account-test.ts";
import type { Queries } from "../database.ts";
import type { DoiAccountTable } from "../tables/publication-tables.ts";

/** The result of the last check of the account at DataCite; undefined before the first. */
export async function accountCheck(db: Queries): Promise<Selectable<DoiAccountTable> | undefined> {
  return db.selectFrom("doi_account").selectAll().executeTakeFirst();
}

/** Stores the result of a check. @param problem null if the account can register DOIs */
export async function recordAccountCheck(db: Queries, problem: AccountProblem | null): Promise<void> {
  const checked = { checked_at: new Date(), problem: problem === null ? null : JSON.stringify(problem) };
  await db
    .insertInto("doi_account")
    .values({ one: true, ...checked })
    .onConflict((conflict) => conflict.column("one").doUpdateSet(checked))
    .execute();
}
