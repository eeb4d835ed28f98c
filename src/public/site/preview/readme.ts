import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import { markdownHtml } from "../markdown.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";
import { decoded } from "./decode.ts";
import { relativePath } from "./relative-path.ts";

/** The file that describes a folder. */
export interface Readme {
  name: string;
  /** Its page. */
  url: string;
  content: Html;
  /** Whether it is longer than what is shown. */
  isCut: boolean;
}

/** Where links in a file of a dataset lead. */
export interface Addresses {
  /** The page of a file or a folder. @param path below the folder of all files */
  page: (path: string) => string;
  /** The bytes of an image. */
  image: (path: string) => string;
}

/** On the page of a dataset, the headings of the page and of the section are above those of the text. */
const BELOW_SECTION = 2;

/** Whether a file is a text in Markdown, by its name. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/**
 * A text of a dataset as HTML: in Markdown if its name says so. HTML in it is text, images come from the same dataset, and relative links
 * lead to its files.
 *
 * @param path below the folder of all files
 * @param below levels of headings that are above those of the text
 * @returns undefined if it is not text
 */
export function readmeContent(
  path: string,
  bytes: Uint8Array,
  { page, image }: Addresses,
  below = BELOW_SECTION,
): Html | undefined {
  const text = decoded(bytes)?.text;
  if (text === undefined || text.trim() === "") return undefined;
  const plain = html`<pre class="text">${text}</pre>`;
  if (!isMarkdown(path)) return plain;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const addressed = (href: string, addressOf: (path: string) => string) => {
    const target = relativePath(folder, href);
    return target === undefined ? undefined : addressOf(target);
  };
  const rendered = markdownHtml(text, {
    link: (href) => (isWebAddress(href) || /^mailto:/i.test(href) ? href : addressed(href, page)),
    image: (href) => addressed(href, image),
    rel: "nofollow",
    below,
  });
  return rendered ?? plain;
}

/** The text that describes the folder that is shown; nothing without one. */
export function readmePart(readme: Readme | undefined, language: Language): Html {
  if (readme === undefined) return NOTHING;
  const words = WORDS[language].preview;
  return html`<section class="readme" aria-labelledby="readme"><h2 id="readme">${readme.name}</h2>
${readme.isCut ? html`<p class="notice">${words.cut}</p>` : NOTHING}
<div class="box">${readme.content}</div></section>`;
}
