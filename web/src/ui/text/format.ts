import { useMemo } from "react";
import { useTranslation } from "react-i18next";

export { visible, visibleLines } from "../../../../packages/rules/src/index.ts";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;
const STEPS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats numbers, sizes and times for one language. */
export interface Formats {
  count(value: number): string;
  bytes(value: number): string;
  /** Of a share between 0 and 1; less than everything is never rounded up to 100 %. */
  percent(share: number): string;
  /** At most two units: `3 minutes 12 seconds`. */
  duration(seconds: number): string;
  /** The date of a time, in the time zone of the browser. */
  date(iso: string): string;
  /** A date without a time, `YYYY-MM-DD` or `YYYY-MM`, regardless of time zones. Other texts are unchanged. */
  calendarDay(day: string): string;
  dateTime(iso: string): string;
  /** The time of day, to the second. */
  time(iso: string): string;
  /** Date and time to the second, in short form. */
  moment(iso: string): string;
  /** Date and time to the second, with the time zone. */
  exact(iso: string): string;
}

/** The formats of the page’s current language. */
export function useFormats(): Formats {
  const { language } = useTranslation().i18n;
  return useMemo(() => formatsOf(localeOf(language)), [language]);
}

/** The formats of a locale. */
export function formatsOf(locale: string): Formats {
  const whole = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const hundredth = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const anywhere = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const month = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const tick = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const second = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "long" }).format(value);
  return {
    count: (value) => whole.format(value),
    bytes: (value) => {
      const power = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), UNITS.length - 1);
      const scaled = value / 1024 ** power;
      return `${scaled >= 1000 ? whole.format(Math.round(scaled)) : short.format(scaled)}\u00a0${UNITS[power]}`;
    },
    percent: (share) => hundredth.format(Math.floor(share * 100) / 100),
    duration: (seconds) => {
      let left = Math.max(0, Math.round(seconds));
      const parts = STEPS.map(([name, length]) => {
        const value = Math.floor(left / length);
        left -= value * length;
        return { name, value };
      });
      const first = parts.findIndex(({ value }) => value > 0);
      if (first === -1) return unit(0, "second");
      const shown = parts.slice(first, first + 2).filter(({ value }) => value > 0);
      return shown.map(({ name, value }) => unit(value, name)).join(" ");
    },
    date: (iso) => day.format(new Date(iso)),
    calendarDay: (text) => {
      if (/^\d{4}$/.test(text) || Number.isNaN(Date.parse(text))) return text;
      return (/^\d{4}-\d{2}$/.test(text) ? month : anywhere).format(new Date(text));
    },
    dateTime: (iso) => minute.format(new Date(iso)),
    time: (iso) => clock.format(new Date(iso)),
    moment: (iso) => tick.format(new Date(iso)),
    exact: (iso) => second.format(new Date(iso)),
  };
}

/** The browser’s variant of a language, such as British English, if it has one. */
function localeOf(language: string): string {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
}
