import { Marked, type Tokens } from "marked";
import { escaped, Html, html, isWebAddress } from "./html.ts";
import { document } from "./layout.ts";
import type { Language, Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** Links to other schemes are written as text, and HTML is shown as it is written. */
const markdown = new Marked({
  renderer: {
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return escaped(text);
    },
    link({ href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      const isAllowed = isWebAddress(href) || /^mailto:/i.test(href) || /^[/#](?!\/)/.test(href);
      return isAllowed ? `<a href="${escaped(href)}">${text}</a>` : text;
    },
    image({ text }: Tokens.Image): string {
      return escaped(text);
    },
  },
});

/** The page about the repository, from the operator’s text in Markdown. */
export function aboutPage(site: Site, about: { language: string; text: string }, language: Language): string {
  const body = new Html(markdown.parse(about.text, { async: false }));
  return document(site, {
    title: WORDS[language].about,
    language,
    path: "/about",
    q: "",
    isIndexed: true,
    content: html`<article lang="${about.language}">${body}</article>`,
  });
}
