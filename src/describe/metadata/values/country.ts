// The main entry of the package loads all languages (about 20 MB); only English is used.
import countries from "i18n-iso-countries/index.js";
import english from "i18n-iso-countries/langs/en.json" with { type: "json" };

const byName = namesOfCountries();

/**
 * The ISO 3166-1 alpha-2 code of a country given as its alpha-2, alpha-3 or numeric code or as an English name, in any
 * case and with or without accents; `undefined` if it is not a country. If two countries share a name (Congo), the result
 * is the country whose ISO 3166 short name it is.
 */
export function countryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code) && countries.alpha2ToAlpha3(code)) return code;
  if (/^[A-Z]{3}$/.test(code) && countries.alpha3ToAlpha2(code)) return countries.alpha3ToAlpha2(code);
  if (/^\d{1,3}$/.test(code)) return countries.numericToAlpha2(code.padStart(3, "0"));
  return byName.get(fold(text));
}

function namesOfCountries(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  // CLDR has the common short names (Laos, Syria), ISO 3166 only the official names.
  const everyday = new Intl.DisplayNames("en", { type: "region" });
  const add = (name: string, code: string) => {
    for (const spelling of [name, name.replace(/\s*\(.*\)$/, "")]) {
      const key = fold(spelling);
      if (!names.has(key)) names.set(key, code);
    }
  };
  for (const [code, official] of Object.entries<string | string[]>(english.countries)) {
    for (const name of [official].flat()) add(name, code);
  }
  for (const code of Object.keys(english.countries)) add(everyday.of(code) ?? code, code);
  return names;
}

function fold(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/\bst\b/g, "saint")
    .replace(/^\s*the\b/, "")
    .replace(/[^a-z]/g, "");
}
