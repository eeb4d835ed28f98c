import { html, isWebAddress } from "./html.ts";
import { document } from "./layout.ts";
import { type MarkdownTargets, markdownHtml } from "./markdown/markdown.ts";
import type { Language, Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** Links to other schemes are written as text, and images are not shown. */
const TARGETS: MarkdownTargets = {
  link: (href) => (isWebAddress(href) || /^mailto:/i.test(href) || /^[/#](?!\/)/.test(href) ? href : undefined),
  image: () => undefined,
  rel: undefined,
  below: 0,
};

/** The page about the repository, from the operator’s text in Markdown. */
export function aboutPage(site: Site, about: { language: string; text: string }, language: Language): string {
  return document(site, {
    title: WORDS[language].about,
    language,
    path: "/about",
    q: "",
    isIndexed: true,
    content: html`<article lang="${about.language}">${markdownHtml(about.text, TARGETS) ?? about.text}</article>`,
  });
}
