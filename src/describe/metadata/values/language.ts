import { iso6393 } from "iso-639-3";

const { codes, names } = registry();

/**
 * The canonical BCP 47 tag (RFC 5646, section 4.5) of a language given as a tag, an ISO 639-1, -2 or -3 code or an
 * English name, in any case; with two letters if ISO 639-1 has them. `undefined` if its language is not registered in
 * ISO 639. A word that is both a code and a name (“ga”) is treated as the code.
 */
export function canonicalLanguage(text: string): string | undefined {
  const wanted = text.trim();
  return canonicalTag(wanted.replaceAll("_", "-")) ?? names.get(wanted.toLowerCase());
}

function canonicalTag(tag: string): string | undefined {
  // An extended language subtag is canonical on its own: zh-yue is yue (RFC 5646, section 4.5).
  const [primary = "", ...others] = tag.replace(/^[a-z]{2,3}-(?=[a-z]{3}(?:-|$))/i, "").split("-");
  try {
    // Intl maps retired codes (iw to he) and validates the other subtags. But it accepts any word of five to eight
    // letters as a language, and replaces some languages by related ones (tl by fil), so ISO 639 is consulted first.
    const code = codes.get(primary.toLowerCase()) ?? codes.get(Intl.getCanonicalLocales(primary)[0] ?? "");
    const [canonical] = Intl.getCanonicalLocales(["und", ...others].join("-"));
    return code && canonical?.replace(/^und/, code);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Code to the shortest code, and lower-case English name to the shortest code. */
function registry(): { codes: ReadonlyMap<string, string>; names: ReadonlyMap<string, string> } {
  const codes = new Map<string, string>();
  const names = new Map<string, string>();
  const add = (name: string, code: string) => {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), code);
  };
  for (const language of iso6393) {
    const { iso6391, iso6392B, iso6392T } = language;
    const shortest = iso6391 ?? language.iso6393;
    for (const code of [iso6391, iso6392B, iso6392T, language.iso6393]) if (code) codes.set(code, shortest);
    add(language.name, shortest);
  }
  // ISO 639 has “Modern Greek (1453-)” and “Malay (macrolanguage)”; CLDR has the common names Greek and Malay.
  const everyday = new Intl.DisplayNames("en", { type: "language" });
  for (const { iso6391, iso6393: code, name } of iso6393) {
    if (iso6391) add(everyday.of(iso6391) ?? iso6391, iso6391);
    if (iso6391 || /\(.*\d.*\)$/.test(name)) add(name.replace(/ \(.*\)$/, ""), iso6391 ?? code);
  }
  for (const [name, code] of [
    ["mandarin", "cmn"],
    ["cantonese", "yue"],
    ["farsi", "fa"],
    ["castilian", "es"],
    ["flemish", "nl"],
  ] as const) {
    add(name, code);
  }
  return { codes, names };
}
