import { size } from "../../domain/numbers.ts";
import type { Language } from "./site.ts";

const LOCALES: Record<Language, string> = { en: "en-GB", de: "de-DE" };

/** A whole number with separators. */
export function numberText(value: number, language: Language): string {
  return value.toLocaleString(LOCALES[language]);
}

/** A number with separators and all of its digits. */
export function decimalText(value: number, language: Language): string {
  return DECIMALS[language].format(value);
}

/** A size as in the application, such as `1.2 MiB`. */
export function sizeText(bytes: number, language: Language): string {
  return language === "de" ? size(bytes).replace(".", ",") : size(bytes);
}

/** A day in UTC, such as `1 June 2027`. @param day ISO 8601, with or without a time */
export function dayText(day: string, language: Language): string {
  const time = new Date(day);
  return Number.isNaN(time.getTime()) ? day : DAYS[language].format(time);
}

/** A date or period of the metadata, such as `4 May 2026 – July 2026`. The parts can be days, months and years, or absent. */
export function periodText(period: string, language: Language): string {
  const shown = (part: string) => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(part)) return dayText(part, language);
    return /^\d{4}-\d{2}$/.test(part) ? MONTHS[language].format(new Date(part)) : part;
  };
  return period.split("/").map(shown).join(" – ");
}

const decimalsIn = (locale: string) => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
const DECIMALS: Record<Language, Intl.NumberFormat> = { en: decimalsIn(LOCALES.en), de: decimalsIn(LOCALES.de) };
const daysIn = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
// Made once, because that takes longer than to render the rest of a page.
const DAYS: Record<Language, Intl.DateTimeFormat> = { en: daysIn(LOCALES.en), de: daysIn(LOCALES.de) };
const monthsIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
const MONTHS: Record<Language, Intl.DateTimeFormat> = { en: monthsIn(LOCALES.en), de: monthsIn(LOCALES.de) };
const namesIn = (locale: string) => new Intl.DisplayNames([locale], { type: "language" });
const LANGUAGE_NAMES: Record<Language, Intl.DisplayNames> = { en: namesIn(LOCALES.en), de: namesIn(LOCALES.de) };

/** The name of a language in another language; the code if it is not known. */
export function languageName(code: string, language: Language): string {
  try {
    return LANGUAGE_NAMES[language].of(code) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}
