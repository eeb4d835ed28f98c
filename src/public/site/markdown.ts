import { Marked, type Tokens } from "marked";
import { escaped, Html } from "./html.ts";

/** Where the links and images of a text lead. */
export interface MarkdownTargets {
  /** The address of a link; undefined if it is written as text. */
  link: (href: string) => string | undefined;
  /** The address of an image; undefined if its text is shown instead. */
  image: (href: string) => string | undefined;
  /** The relation of the links to the page; undefined for none. */
  rel: "nofollow" | undefined;
  /** Levels by which headings are lower than in the text. */
  below: number;
}

/** Control characters, and those that change the text direction. */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
const LOWEST_HEADING = 6;
/** The time for a longer word, or for emphasis in a longer paragraph, would grow with the square of its length. */
const LONG_WORD = /\S{2000}/;
const LONGEST_EMPHASIS = 3_000;

/**
 * A text in Markdown as HTML. HTML in it is shown as it is written.
 * @returns undefined for a text that people do not write, such as one with 1,000 levels of quotations
 */
export function markdownHtml(text: string, { link, image, rel, below }: MarkdownTargets): Html | undefined {
  if (LONG_WORD.test(text)) return undefined;
  const marked = new Marked({
    tokenizer: {
      emStrong(_src: string, masked: string): Tokens.Em | Tokens.Strong | undefined | false {
        return masked.length > LONGEST_EMPHASIS ? undefined : false;
      },
    },
    renderer: {
      html({ text: written }: Tokens.HTML | Tokens.Tag): string {
        return escaped(written);
      },
      heading({ tokens, depth }: Tokens.Heading): string {
        const level = Math.min(depth + below, LOWEST_HEADING);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const content = this.parser.parseInline(tokens);
        const address = link(href);
        const relation = rel === undefined ? "" : ` rel="${rel}"`;
        return address === undefined ? content : `<a href="${escaped(address)}"${relation}>${content}</a>`;
      },
      image({ href, text: alternative }: Tokens.Image): string {
        const address = image(href);
        if (address === undefined) return escaped(alternative);
        return `<img src="${escaped(address)}" alt="${escaped(alternative)}" loading="lazy">`;
      },
      code({ text: code }: Tokens.Code): string {
        return `<pre class="scroll" tabindex="0"><code>${escaped(code)}</code></pre>\n`;
      },
      checkbox({ checked }: Tokens.Checkbox): string {
        return checked ? "☑ " : "☐ ";
      },
    },
  });
  const written = text.replace(HIDDEN, (character) => (/[\n\t]/.test(character) ? character : ""));
  try {
    const html = marked.parse(written, { async: false });
    return new Html(
      html.replaceAll("<table>", '<div class="scroll" tabindex="0"><table>').replaceAll("</table>", "</table></div>"),
    );
  } catch (error) {
    // The stack is too small for the levels of the text.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
