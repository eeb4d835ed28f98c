import { type RawBuilder, type SqlBool, sql } from "kysely";
import { PASSING_CODES, TOLD_AFTER_MS } from "../../publication/rules/publication.ts";

/** The decision of `isDelayed` at this time. @param problem a column with a `RegistrationProblem` */
export function isDelayedNow(problem: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const before = new Date(Date.now() - TOLD_AFTER_MS);
  return sql<SqlBool>`(${problem} is not null and (
    not ${problem} ->> 'code' = any(${PASSING_CODES})
    or coalesce((${problem} ->> 'since')::timestamptz <= ${before}, true)))`;
}
