import { decoded, HEADINGS, hasMarkup, TAG } from "../../describe/markup.ts";
import { escaped, Html, html, isWebAddress, NOTHING } from "./html.ts";

const ADDRESS = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** Elements within elements. Browsers limit them, too. */
const DEEPEST = 50;

/** A description as a block, in which a text without markup keeps its lines. @param attributes of the block, each after a space */
export function textBlock(text: string, attributes: Html = NOTHING): Html {
  return html`<div${hasMarkup(text) ? NOTHING : html` class="lines"`}${attributes}>${markedUp(text)}</div>`;
}

/**
 * A description as HTML. Elements are written again without their attributes. Everything but the tags above is text, also what looks like other tags, so that nothing is lost. The result is
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
