import { iso6393 } from "iso-639-3";
import { expect, test } from "vitest";
import { listed, rows } from "../../../../tests/support/listed.ts";
import { canonicalLanguage } from "./language.ts";

test.each<[text: string, tag: string]>([
  ...["de", "DE", "deu", "ger", "German", "german", " GERMAN "].map((text): [string, string] => [text, "de"]),
  ...rows`
    English → en | en_US → en-US | EN-us → en-US | zh-hant-tw → zh-Hant-TW | zh-cmn-Hans → cmn-Hans
    de-AT-1996 → de-AT-1996 | de-x-lab → de-x-lab | iw → he | chi → zh | tl → tl | no → no | nds → nds
    Low German → nds | Greek → el | Modern Greek (1453-) → el | Ancient Greek → grc | Old English → ang
    Malay → ms | Farsi → fa | Persian → fa | Māori → mi | Norwegian Bokmål → nb | und → und | mul → mul
  `,
])("%j is %s", (text, tag) => {
  expect(canonicalLanguage(text)).toBe(tag);
});

test.each([
  ...listed`xx | qqq | klingonese | en- | -en | en-toolongsubtag | de--AT | x-private | constructor | __proto__`,
  ...["", "en US", "日本語", "en\r\n-US"],
])("%j is not a language", (text) => {
  expect(canonicalLanguage(text)).toBeUndefined();
});

test("every ISO 639 code gives its shortest form, which Intl accepts, and every name is recognised", () => {
  for (const { iso6391, iso6392B, iso6392T, iso6393: code, name } of iso6393) {
    const shortest = iso6391 ?? code;
    for (const spelling of [iso6391, iso6392B, iso6392T, code]) {
      if (spelling) expect(canonicalLanguage(spelling)).toBe(shortest);
    }
    expect(() => new Intl.Locale(shortest)).not.toThrow();
    expect(canonicalLanguage(name), name).toBeDefined();
  }
});
