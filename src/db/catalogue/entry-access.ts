import { type RawBuilder, sql } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";

/**
 * The access of an entry at a moment, by the rule of `isOpen` in publication/rules/access.ts. A withdrawn version stays in the set in which
 * harvesters found it.
 */
export function accessAt(now: Date): RawBuilder<AccessKind> {
  const day = sql`case when visible then ${dayOf(now)} else to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD') end`;
  return accessOn(day);
}

/** The access of a published version at a moment, by the same rule. */
export function publishedAccessAt(now: Date): RawBuilder<AccessKind> {
  return accessOn(sql`${dayOf(now)}`);
}

function accessOn(day: RawBuilder<unknown>): RawBuilder<AccessKind> {
  return sql`case when access = 'embargoed' and embargo_date <= ${day} then 'open' else access end`;
}

/** The day in UTC, `YYYY-MM-DD`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
