/** ISO 639-1, as one text because that is lighter to load. */
const CODES =
  "aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cs cu cv cy da de dv dz ee el " +
  "en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io " +
  "is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml " +
  "mn mr ms mt my na nb nd ne ng nl nn nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd " +
  "se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve " +
  "vi vo wa wo xh yi yo za zh zu";

const LANGUAGE_CODES: readonly string[] = CODES.split(" ");

/** Languages by their names in a language, in its order. */
export function languagesIn(language: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const order = new Intl.Collator(language);
  const all = LANGUAGE_CODES.map((code) => ({ code, name: names.of(code) ?? code }));
  return all.sort((one, other) => order.compare(one.name, other.name));
}

/** The code of a language that is named in one of the page's languages; any other text unchanged. */
export function languageCode(text: string): string {
  const wanted = text.trim().toLowerCase();
  if (wanted.length <= 3) return text.trim();
  return codesByName().get(wanted) ?? text.trim();
}

let named: ReadonlyMap<string, string> | undefined;

/** Created on first use, because most visits do not need it. */
function codesByName(): ReadonlyMap<string, string> {
  named ??= new Map(["en", "de"].flatMap(languagesIn).map(({ code, name }) => [name.toLowerCase(), code]));
  return named;
}
