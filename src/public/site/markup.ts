import { BLOCKS, decoded, HEADINGS, hasMarkup, TAG } from "../../describe/markup.ts";
import { escaped, Html, html, isWebAddress, NOTHING } from "./html.ts";

const ADDRESS = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** Elements after which a text can be divided. */
const ENDS: readonly string[] = ["br", ...BLOCKS, ...HEADINGS];
/** Elements within elements. Browsers limit them, too. */
const DEEPEST = 50;

/** Lines after which a text is folded, if at least half as many follow. */
const MOST_LINES = 60;
/** Characters of a line. */
const WIDTH = 90;

/**
 * A description as a block, in which a text without markup keeps its lines. The rest of a long text is folded; paragraphs are not divided.
 * @param attributes of the block, each after a space
 * @param more names the rest
 */
export function textBlock(text: string, attributes: Html, more: string): Html {
  const isMarkedUp = hasMarkup(text);
  const block = (part: Html) => html`<div${isMarkedUp ? NOTHING : html` class="lines"`}${attributes}>${part}</div>`;
  const [first, rest] = isMarkedUp ? markedUp(text) : linesOf(text);
  return rest === undefined
    ? block(first)
    : html`${block(first)}<details class="more"><summary>${more}</summary>${block(rest)}</details>`;
}

/** A text without markup, and its rest if it is long. */
function linesOf(text: string): [Html, Html?] {
  let [at, height] = [0, 0];
  for (const line of text.split("\n")) {
    const before = height;
    height += Math.max(1, Math.ceil(line.length / WIDTH));
    if (before > 0 && height > MOST_LINES) break;
    at += line.length + 1;
  }
  if (!isLong(text.slice(at))) return [html`${text}`];
  return [html`${text.slice(0, at)}`, html`${text.slice(at)}`];
}

/** Whether the rest of a text is worth folding. */
function isLong(rest: string): boolean {
  return rest.length + (rest.split("\n").length - 1) * WIDTH > (MOST_LINES / 2) * WIDTH;
}

/**
 * A description as HTML. Elements are written again without their attributes. Everything but the tags above is text, also what looks like other tags, so that nothing is lost. The result is
 * well-formed: elements that were not closed end with the text, and end tags without a beginning are left out.
 * The rest of a long text is returned separately.
 */
function markedUp(text: string): [Html, Html?] {
  const open: string[] = [];
  let written = "";
  let at = 0;
  let divided: number | undefined;
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
    if (
      divided === undefined &&
      open.length === 0 &&
      ENDS.includes(element) &&
      at > MOST_LINES * WIDTH &&
      isLong(text.slice(at))
    )
      divided = written.length;
  }
  written += escaped(decoded(text.slice(at)));
  written += open.toReversed().map(endTag).join("");
  if (divided === undefined) return [new Html(written)];
  return [new Html(written.slice(0, divided)), new Html(written.slice(divided))];
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
