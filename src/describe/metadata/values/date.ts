const spelling =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * The calendar date `YYYY-MM-DD` of an ISO 8601 date, or of a date-time as written (without conversion to another time
 * zone), or `undefined` if the day does not exist.
 */
export function calendarDate(text: string): string | undefined {
  const [, date] = spelling.exec(text.trim()) ?? [];
  if (date === undefined || date.startsWith("0000")) return undefined;
  // V8 parses 2026-02-30 as 2 March, so a date exists only if formatting returns it unchanged.
  const instant = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date) ? date : undefined;
}
