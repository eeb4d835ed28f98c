import de from "../words/de/compare.json";
import en from "../words/en/compare.json";

type Words = typeof en;
/** Keys of texts, for instance `means.missing`; for texts with a number without `_one` and `_other`. */
type Keys<Part, Path extends string = ""> = {
  [Key in keyof Part & string]: Part[Key] extends string
    ? Key extends `${infer Base}_${"one" | "other"}`
      ? `${Path}${Base}`
      : `${Path}${Key}`
    : Keys<Part[Key], `${Path}${Key}.`>;
}[keyof Part & string];
export type Key = Keys<Words>;

/** The texts and number formats of one language. */
export interface Language {
  /** A text with its placeholders filled in. `count` selects the plural form. */
  say(key: Key, values?: { count?: number; [place: string]: string | number | undefined }): string;
  count(value: number): string;
  bytes(value: number): string;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** German for `de` and its regions, otherwise English. The texts do without a library, because server-rendered pages load them. */
export function languageOf(tag: string): Language {
  const isGerman = /^de\b/i.test(tag);
  const words: object = isGerman ? de : en;
  const locale = isGerman ? "de" : "en";
  const plural = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return {
    say(key, values = {}) {
      const form = values.count === undefined ? key : `${key}_${plural.select(values.count)}`;
      const text = form.split(".").reduce((part: unknown, name) => (part as Record<string, unknown>)[name], words);
      return String(text).replaceAll(/\{\{(\w+)\}\}/g, (_, place: string) => String(values[place] ?? ""));
    },
    count: (value) => numbers.format(value),
    bytes(value) {
      const power = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10));
      const amount = value / 1024 ** power;
      return `${power === 0 || amount >= 100 ? numbers.format(Math.round(amount)) : short.format(amount)} ${UNITS[power]}`;
    },
  };
}
