/**
 * The markup that descriptions contain: DataCite allows these elements of HTML, and other repositories export them.
 */
const INLINE = ["b", "strong", "i", "em", "u", "sub", "sup", "code", "span", "a"];
export const BLOCKS = ["p", "div", "ul", "ol", "li", "blockquote", "pre"];
export const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const ELEMENTS = [...INLINE, ...BLOCKS, ...HEADINGS];

/** A tag of these elements: its slash, name and attributes. */
export const TAG = new RegExp(`<(/?)(${[...ELEMENTS, "br"].join("|")})((?:\\s[^<>]*)?)/?>`, "gi");
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const BREAKS = ["br", "p", "div", "li", "ul", "ol", "blockquote", "pre", ...HEADINGS];

/** A description without its markup, for places that show text alone. */
export function unmarked(text: string): string {
  if (!hasMarkup(text)) return text;
  const spaced = text.replace(TAG, (_, _slash: string, name: string) =>
    BREAKS.includes(name.toLowerCase()) ? "\n" : "",
  );
  return decoded(spaced).trim();
}

/** Whether a text has an element with its end, or a line break. A single “<b>” is rather a part of a sentence. */
export function hasMarkup(text: string): boolean {
  const tags = new Set(Array.from(text.matchAll(TAG), ([, slash, name = ""]) => `${slash}${name.toLowerCase()}`));
  return Array.from(tags).some((tag) => tag === "br" || tags.has(`/${tag}`));
}

/** A text with its character references as characters. */
export function decoded(text: string): string {
  return text.replace(ENTITY, (entity: string, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return isText(code) ? String.fromCodePoint(code) : entity;
  });
}

/** No control character, which submitted texts cannot contain either, and no half of a character, which databases refuse. */
function isText(code: number): boolean {
  const isControl = (code < 0x20 && code !== 9 && code !== 10 && code !== 13) || (code >= 0x7f && code <= 0x9f);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code <= 0x10ffff && !isControl && !isSurrogate;
}
