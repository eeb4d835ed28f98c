import MarkdownIt, { type RendererRule, type Token } from "markdown-it";
import { escaped, Html } from "../html.ts";

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

const LOWEST_HEADING = 6;
/** Of blocks in blocks. The parser leaves out what is deeper. */
const DEEPEST = 100;

/**
 * A text in Markdown (CommonMark with tables, task lists and deleted text) as HTML. HTML in it is shown as it is written. For some hostile texts of
 * 100 kB it takes half a minute: texts of datasets are rendered by a `TextRenderer`, which has a limit.
 * @returns undefined for a text that people do not write, with 100 levels of quotations or lists
 */
export function markdownHtml(text: string, targets: MarkdownTargets): Html | undefined {
  const parser = new MarkdownIt("default", { html: false, linkify: true, maxNesting: DEEPEST });
  // Words such as “data.csv” are no addresses.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  // `targets` decides about each address.
  parser.validateLink = () => true;
  Object.assign(parser.renderer.rules, RULES);
  const tokens = parser.parse(text, {});
  showTasks(tokens);
  if (tokens.some(({ level }) => level >= DEEPEST - 1)) return undefined;
  for (const token of tokens) {
    if (/^h[1-6]$/.test(token.tag)) lowerHeading(token, targets.below);
    if (token.tag === "th" || token.tag === "td") alignByClass(token);
    for (const child of token.children ?? []) if (child.type === "image") address(child, "src", targets.image);
    addressLinks(token.children ?? [], targets);
  }
  return new Html(parser.renderer.render(tokens, parser.options, {}));
}

/** Every text is escaped as on all public pages, also that of character references such as `&#x202e;`. */
const RULES: Record<string, RendererRule> = {
  text: (tokens, at) => escaped(tokens[at]?.content ?? ""),
  code_inline: (tokens, at) => `<code>${escaped(tokens[at]?.content ?? "")}</code>`,
  code_block: codeBlock,
  fence: codeBlock,
  table_open: () => '<div class="scroll" tabindex="0"><table>\n',
  table_close: () => "</table></div>\n",
  image: (tokens, at, options, env, self) => {
    const token = tokens[at];
    const src = String(token?.attrGet("src") ?? "");
    const alternative = escaped(self.renderInlineAsText(token?.children ?? [], options, env));
    return src === "" ? alternative : `<img src="${escaped(src)}" alt="${alternative}" loading="lazy">`;
  },
};

function codeBlock(tokens: Token[], at: number): string {
  return `<pre class="scroll" tabindex="0"><code>${escaped(tokens[at]?.content ?? "")}</code></pre>\n`;
}

/** Cells are aligned with styles, which the page does not allow. They get a class instead. */
function alignByClass(token: Token): void {
  const [, alignment] = /^text-align:(center|right)$/.exec(String(token.attrGet("style") ?? "")) ?? [];
  token.attrs = alignment === undefined ? null : [["class", alignment]];
}

/** Items of lists that begin with `[ ]` or `[x]` are tasks. A character shows whether they are done. */
function showTasks(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    if (token.type !== "inline" || tokens[index - 2]?.type !== "list_item_open") return;
    const [first] = token.children ?? [];
    if (first?.type === "text") {
      first.content = first.content.replace(/^\[([ x])\](?= )/i, (_, mark) => (mark === " " ? "☐" : "☑"));
    }
  });
}

function lowerHeading(token: Token, below: number): void {
  token.tag = `h${Math.min(Number(token.tag.slice(1)) + below, LOWEST_HEADING)}`;
}

/** Links without an address are left out, and their text stays. A link contains no other link. */
function addressLinks(tokens: readonly Token[], { link, rel }: MarkdownTargets): void {
  let isLeftOut = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      isLeftOut = !address(token, "href", link);
      token.hidden = isLeftOut;
      if (rel !== undefined) token.attrSet("rel", rel);
    }
    if (token.type === "link_close") token.hidden = isLeftOut;
  }
}

/** Replaces an address, and leaves out all other attributes. Returns whether there is one. */
function address(token: Token, name: string, addressOf: (written: string) => string | undefined): boolean {
  const found = addressOf(String(token.attrGet(name) ?? ""));
  token.attrs = [[name, found ?? ""]];
  return found !== undefined;
}
