import { calendarDate } from "./date.ts";

const YEAR = /^\d{4}$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
/** Day, month and year, as written in German and many other languages. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
/** Two years joined by a dash. With months or days, a dash between two dates would be ambiguous. */
const YEARS = /^(\d{4})[-–—](\d{4})$/;
const OPEN = new Set(["", ".."]);

/**
 * A date or a range of dates in the form of DataCite (RKMS-ISO8601): `2024`, `2024-05`, `2024-05-17`, `2024-05/2024-07`,
 * also `2024–2025`, and open ranges `2024/` and `/2024`. Accepts date-times, of which the day is used as written, `17.5.2024`, and `..` for
 * an open end. Undefined if a day does not exist, or the end precedes the start.
 */
export function dateOrRange(text: string): string | undefined {
  const parts = text
    .trim()
    .replace(YEARS, "$1/$2")
    .split(/\s*\/\s*|\s+(?:–|—|-|to|bis)\s+/);
  const [start = "", end] = parts;
  if (parts.length > 2) return undefined;
  if (end === undefined) return dateOf(start);
  const [from, until] = [boundOf(start), boundOf(end)];
  if (from === undefined || until === undefined || (from === "" && until === "")) return undefined;
  const isOrdered = from === "" || until === "" || from.slice(0, until.length) <= until.slice(0, from.length);
  return isOrdered ? `${from}/${until}` : undefined;
}

/** A year, month or day in its canonical form. */
export function dateOf(text: string): string | undefined {
  const stated = text.trim();
  if (stated.startsWith("0000")) return undefined;
  if (YEAR.test(stated) || MONTH.test(stated)) return stated;
  const [, day, month, year] = DOTTED.exec(stated) ?? [];
  if (day === undefined || month === undefined) return calendarDate(stated);
  return calendarDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

function boundOf(text: string): string | undefined {
  return OPEN.has(text.trim()) ? "" : dateOf(text);
}
