import { OaiError } from "./errors.ts";

const DAY = /^\d{4}-\d\d-\d\d$/;
const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** Times that the database can compare. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59Z");

/** A time as OAI-PMH writes it, without fractions of a second. */
export function datestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** The period that `from` and `until` describe, which are both inclusive. @throws OaiError `badArgument` */
export function periodOf({ from, until }: { from?: string; until?: string }): {
  from: Date | undefined;
  before: Date | undefined;
} {
  if (from !== undefined && until !== undefined && DAY.test(from) !== DAY.test(until)) {
    throw new OaiError("badArgument", "The arguments “from” and “until” must have the same granularity");
  }
  const start = from === undefined ? undefined : timeOf("from", from);
  const last = until === undefined ? undefined : timeOf("until", until);
  if (start !== undefined && last !== undefined && start > last) {
    throw new OaiError("badArgument", "The argument “from” must not be later than “until”");
  }
  const unit = until !== undefined && DAY.test(until) ? DAY_MS : SECOND_MS;
  return {
    from: start === undefined ? undefined : new Date(start),
    before: last === undefined ? undefined : new Date(Math.min(last + unit, LATEST)),
  };
}

function timeOf(name: string, text: string): number {
  const time = DAY.test(text) || SECOND.test(text) ? Date.parse(text) : Number.NaN;
  // Parsers of dates accept 30 February.
  if (!Number.isNaN(time) && time >= EARLIEST && new Date(time).toISOString().startsWith(text.replace("Z", ""))) {
    return time;
  }
  throw new OaiError(
    "badArgument",
    `The argument “${name}” must be a date (YYYY-MM-DD) or a time (YYYY-MM-DDThh:mm:ssZ)`,
  );
}
