/** A time of ISO 8601 in UTC since 1970, as Amazon S3 states it. Recognised without parsing, because listings have millions. */
const UTC =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?Z$/;
/** With an offset from UTC (`+0000`, `+02:00`), and with a space instead of the T. */
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(?:Z|([+-]\d\d):?(\d\d)|UTC|GMT)$/;
/** A date of HTTP (RFC 9110, section 5.6.7), the usual one. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]0000)$/;
/** Seconds or milliseconds since 1970, between 2001 and 2286. */
const EPOCH = /^(\d{10})(\d{3}|\.\d{1,9})?$/;
/** Before object stores existed: the time zero of a program, and not that of an object. */
const EARLIEST_MS = Date.UTC(1970, 0, 1);
/** Years have four digits (ISO 8601, as in XML Schema). */
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;

/**
 * A time that an S3 server states, in ISO 8601 and UTC. A time that already has this form is returned unchanged. Null if it is not a
 * time, is before 1970, or has no time zone, so that it is unknown which one is meant.
 */
export function isoTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (UTC.test(text)) return text;
  const milliseconds = timeOf(text.trim().replace(/^[:"']+|["']+$/g, ""));
  return milliseconds >= EARLIEST_MS && milliseconds <= LATEST_MS ? new Date(milliseconds).toISOString() : null;
}

/** In milliseconds since 1970; NaN if it is not a time. */
function timeOf(text: string): number {
  const [, seconds, more = ""] = EPOCH.exec(text) ?? [];
  if (seconds !== undefined) return more.startsWith(".") ? Number(text) * 1_000 : Number(seconds + more.padEnd(3, "0"));
  if (HTTP_DATE.test(text)) return Date.parse(text);
  const [, date, time, hours = "+00", minutes = "00"] = WITH_OFFSET.exec(text) ?? [];
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${hours}:${minutes}`);
}
