import { escaped, Html, html, isWebAddress, NOTHING } from "./html.ts";

/**
 * The markup that descriptions contain: DataCite allows these elements of HTML, and other repositories export them. Elements are
 * written again without their attributes.
 */
const INLINE = ["b", "strong", "i", "em", "u", "sub", "sup", "code", "span", "a"];
const BLOCKS = ["p", "div", "ul", "ol", "li", "blockquote", "pre"];
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const ELEMENTS = [...INLINE, ...BLOCKS, ...HEADINGS];

const TAG = new RegExp(`<(/?)(${[...ELEMENTS, "br"].join("|")})((?:\\s[^<>]*)?)/?>`, "gi");
const ADDRESS = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const BREAKS = ["br", "p", "div", "li", "ul", "ol", "blockquote", "pre", ...HEADINGS];

/** Elements within elements. Browsers limit them, too. */
const DEEPEST = 50;

/** A description as a block, in which a text without markup keeps its lines. @param attributes of the block, each after a space */
export function textBlock(text: string, attributes: Html = NOTHING): Html {
  return html`<div${hasMarkup(text) ? NOTHING : html` class="lines"`}${attributes}>${markedUp(text)}</div>`;
}

/**
 * A description as HTML. Everything but the tags above is text, also what looks like other tags, so that nothing is lost. The result is
 * well-formed: elements that were not closed end with the text, and end tags without a beginning are left out.
 */
function markedUp(text: string): Html {
  if (!hasMarkup(text)) return new Html(escaped(text));
  const open: string[] = [];
  let written = "";
  let at = 0;
  for (const { index, 0: tag, 1: slash, 2: name = "", 3: attributes = "" } of text.matchAll(TAG)) {
    written += escaped(decoded(text.slice(at, index)));
    at = index + tag.length;
    const element = name.toLowerCase();
    if (element === "br") written += "<br>";
    else if (slash !== "") written += endOf(element, open);
    else if (open.length < DEEPEST) {
      open.push(element);
      written += startOf(element, attributes);
    }
  }
  written += escaped(decoded(text.slice(at)));
  return new Html(written + open.toReversed().map(endTag).join(""));
}

/** A description without its markup, for places that show text alone. */
export function unmarked(text: string): string {
  if (!hasMarkup(text)) return text;
  const spaced = text.replace(TAG, (_, _slash: string, name: string) =>
    BREAKS.includes(name.toLowerCase()) ? "\n" : "",
  );
  return decoded(spaced).trim();
}

/** Whether a text has an element with its end, or a line break. A single “<b>” is rather a part of a sentence. */
function hasMarkup(text: string): boolean {
  const tags = new Set(Array.from(text.matchAll(TAG), ([, slash, name = ""]) => `${slash}${name.toLowerCase()}`));
  return Array.from(tags).some((tag) => tag === "br" || tags.has(`/${tag}`));
}

/** Headings would be parts of the page. */
function startOf(element: string, attributes: string): string {
  if (HEADINGS.includes(element)) return "<p><strong>";
  if (element !== "a") return `<${element}>`;
  const [, double, single] = ADDRESS.exec(attributes) ?? [];
  const address = decoded(double ?? single ?? "");
  return isWebAddress(address) ? `<a href="${escaped(address)}" rel="nofollow">` : "<a>";
}

/** The end of an element, and of the elements within it that are still open. */
function endOf(element: string, open: string[]): string {
  const from = open.lastIndexOf(element);
  return from < 0 ? "" : open.splice(from).toReversed().map(endTag).join("");
}

function endTag(element: string): string {
  return HEADINGS.includes(element) ? "</strong></p>" : `</${element}>`;
}

function decoded(text: string): string {
  return text.replace(ENTITY, (entity: string, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
