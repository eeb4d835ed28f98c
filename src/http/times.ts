const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * The instant of an ISO 8601 date-time with a time zone; undefined for one that does not exist, such as a leap second,
 * and outside of the years 1 to 9999 in UTC, which answers and the database could not represent.
 */
export function timeIn(text: string): Date | undefined {
  const time = new Date(text);
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST ? time : undefined;
}
