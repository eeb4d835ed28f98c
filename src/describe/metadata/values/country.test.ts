import { expect, test } from "vitest";
import { rows } from "../../../../tests/support/listed.ts";
import { countryCode } from "./country.ts";

test.each<[text: string, code: string | undefined]>([
  ...["DE", "de", " DEU ", "276", "Germany", "GERMANY"].map((text): [string, string] => [text, "DE"]),
  ...rows`
    4 → AF | UK → GB | Great Britain → GB | USA → US | United States → US | The Netherlands → NL | Ivory Coast → CI
    Cote d'Ivoire → CI | Côte d’Ivoire → CI | Laos → LA | Syria → SY | Moldova → MD | Turkiye → TR | Turkey → TR
    South Korea → KR | Congo → CG | St. Lucia → LC | Trinidad & Tobago → TT
  `,
  ["Burma", undefined],
])("%j is %s", (text, code) => {
  expect(countryCode(text)).toBe(code);
});

test.each(["", "XX", "ZZZ", "000", "9999", "Atlantis", "constructor", "__proto__", "-", "日本"])(
  "%j is not a country",
  (text) => {
    expect(countryCode(text)).toBeUndefined();
  },
);
