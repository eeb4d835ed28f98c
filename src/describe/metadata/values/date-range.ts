import { calendarDate } from "./date.ts";

const YEAR = /^\d{4}$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
/** Day, month and year, as written in German and many other languages. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
/** Two years joined by a dash. With months or days, a dash between two dates would be ambiguous. */
const YEARS = /^(\d{4})[-–—](\d{4})$/;
const OPEN = new Set(["", ".."]);
/** The year zero is 1 BCE (ISO 8601). Longer numbers are no years of archaeology or history. */
const ASTRONOMICAL = /^[-\u2010-\u2012\u2212](\d{4,6})$/;
/** A year in the words of English and German, and the words alone. */
const ERA = String.raw`(?:b\.? ?c\.?(?: ?e\.?)?|v\.? ?chr\.?|v\. ?u\. ?z\.)`;
const HISTORICAL = new RegExp(String.raw`^(\d{1,6}) ?${ERA}$`, "i");
const ENDS_WITH_ERA = new RegExp(`${ERA}$`, "i");
const CURRENT = /^(?:(?:a\.? ?d\.?|n\.? ?chr\.?) ?(\d{1,4})|(\d{1,4}) ?(?:a\.? ?d\.?|c\.? ?e\.?|n\.? ?chr\.?))$/i;
const NAMES_ERA = new RegExp(String.raw`${ERA}|\b(?:a\.? ?d|c\.? ?e|n\.? ?chr)\b`, "i");
/** What is between two years of which one states its era. */
const BETWEEN = /\s*[/–—]\s*|\s+(?:-|to|bis)\s+|(?<=[\p{L}\d.])-(?=\d)/u;

/**
 * A date or a range of dates in the form of DataCite (RKMS-ISO8601): `2024`, `2024-05`, `2024-05-17`, `2024-05/2024-07`,
 * also `2024–2025`, and open ranges `2024/` and `/2024`. Accepts date-times, of which the day is used as written, `17.5.2024`,
 * `..` for an open end, and years before the common era: `500 BC`, `-0499`, `500–400 v. Chr.`. Undefined if a day does not
 * exist, or the end precedes the start.
 */
export function dateOrRange(text: string): string | undefined {
  const parts = partsOf(text.trim());
  const [start = "", end] = parts;
  if (parts.length > 2) return undefined;
  if (end === undefined) return dateOf(start);
  const [from, until] = [boundOf(start), boundOf(end)];
  if (from === undefined || until === undefined || (from === "" && until === "")) return undefined;
  return from === "" || until === "" || isOrdered(from, until) ? `${from}/${until}` : undefined;
}

/** A year, month or day in its canonical form. A year before the common era is `-` and the astronomical number. */
export function dateOf(text: string): string | undefined {
  const stated = text.trim();
  const early = earlyYear(stated);
  if (early !== undefined) return early;
  if (stated.startsWith("0000")) return undefined;
  if (YEAR.test(stated) || MONTH.test(stated)) return stated;
  const [, day, month, year] = DOTTED.exec(stated) ?? [];
  if (day === undefined || month === undefined) return calendarDate(stated);
  return calendarDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

function partsOf(text: string): string[] {
  if (!NAMES_ERA.test(text)) return text.replace(YEARS, "$1/$2").split(/\s*\/\s*|\s+(?:–|—|-|to|bis)\s+/);
  const parts = text.split(BETWEEN);
  const [era] = ENDS_WITH_ERA.exec(text) ?? [];
  // The era of “500–400 BC” belongs to both years.
  return parts.map((part) => (era !== undefined && /^\d{1,6}$/.test(part) ? `${part} ${era}` : part));
}

/** A year before the common era, or one that is written with its era. */
function earlyYear(text: string): string | undefined {
  const [, astronomical] = ASTRONOMICAL.exec(text) ?? [];
  if (astronomical !== undefined) return Number(astronomical) === 0 ? undefined : yearText(-Number(astronomical));
  const [, before] = HISTORICAL.exec(text) ?? [];
  if (before !== undefined) return Number(before) < 2 ? undefined : yearText(1 - Number(before));
  const [, prefixed, year = prefixed] = CURRENT.exec(text) ?? [];
  return year === undefined || Number(year) === 0 ? undefined : yearText(Number(year));
}

function yearText(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}

function isOrdered(from: string, until: string): boolean {
  const [first, last] = [Number(/^-?\d+/.exec(from)?.[0]), Number(/^-?\d+/.exec(until)?.[0])];
  if (first !== last || first < 0) return first <= last;
  return from.slice(0, until.length) <= until.slice(0, from.length);
}

function boundOf(text: string): string | undefined {
  return OPEN.has(text.trim()) ? "" : dateOf(text);
}
