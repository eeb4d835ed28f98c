/** ISO 3166-1 alpha-2, as one text because that is lighter to load. */
const CODES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV " +
  "BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES " +
  "ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE " +
  "IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY " +
  "MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU " +
  "NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM " +
  "SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE " +
  "VG VI VN VU WF WS YE YT ZA ZM ZW";

const COUNTRY_CODES: readonly string[] = CODES.split(" ");

/** Countries by their names in a language, in its order. */
export function countriesIn(language: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const order = new Intl.Collator(language);
  const all = COUNTRY_CODES.map((value) => ({ value, label: names.of(value) ?? value }));
  return all.sort((one, other) => order.compare(one.label, other.label));
}

/** The code of a country that is given by it, or by its name in English, German or French. */
export function countryCode(text: string): string | undefined {
  return codesByName().get(text.trim().toLowerCase());
}

let named: ReadonlyMap<string, string> | undefined;

/** Made once: a table of authors asks for each of its rows. */
function codesByName(): ReadonlyMap<string, string> {
  named ??= new Map([
    ...["en", "de", "fr"].flatMap(countriesIn).map(({ value, label }) => [label.toLowerCase(), value] as const),
    ...COUNTRY_CODES.map((code) => [code.toLowerCase(), code] as const),
  ]);
  return named;
}
