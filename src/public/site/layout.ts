import { type Html, html, NOTHING } from "./html.ts";
import { LANGUAGES, type Language, type Site } from "./site.ts";
import { STYLE } from "./style.ts";
import { WORDS } from "./words.ts";

/** A public page. */
export interface Page {
  title: string;
  language: Language;
  /** Path with query of this page below the base path, without its language; undefined for a page in one language. */
  path: string | undefined;
  /** Additional elements of the head. */
  head?: Html;
  content: Html;
  /** Search text in the search field of the header; undefined if the page has its own search field. */
  q?: string | undefined;
  /** Whether search engines may list the page. */
  isIndexed: boolean;
}

/** A complete HTML document. It needs no scripts, and nothing from other hosts. */
export function document(site: Site, page: Page): string {
  const { language, title, head = NOTHING, content, isIndexed } = page;
  const words = WORDS[language];
  const { basePath } = site;
  const full = title === site.name ? title : `${title} – ${site.name}`;
  const [header, footer] = [headerOf(site, page), footerOf(site, page)];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isIndexed ? NOTHING : html`<meta name="robots" content="noindex">\n`}<title>${full}</title>
<link rel="icon" href="${basePath}/site/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}/site/${STYLE.name}">
${site.colours === undefined ? NOTHING : html`<link rel="stylesheet" href="${basePath}/site/${site.colours}">\n`}<link rel="alternate" type="application/atom+xml" href="${basePath}/feed.atom" title="${site.name}">
<link rel="search" type="application/opensearchdescription+xml" href="${basePath}/opensearch.xml" title="${site.name}">
${alternates(site, page)}${head}</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
${header}
<main id="content"><div class="wrap">
${content}
</div></main>
${footer}
</body>
</html>
`.text;
}

function alternates({ url }: Site, { path }: Page): Html {
  if (path === undefined) return NOTHING;
  return html`${LANGUAGES.map((other) => html`<link rel="alternate" hreflang="${other}" href="${url}${inLanguage(path, other)}">\n`)}<link rel="alternate" hreflang="x-default" href="${url}${path}">\n`;
}

/** A page that says why there is nothing at an address. Search engines do not list it. */
export function noticePage(
  site: Site,
  { title, path, content, head }: Pick<Page, "title" | "path" | "content" | "head">,
  language: Language,
): string {
  const article = html`<article><h1>${title}</h1>
${content}</article>`;
  return document(site, { title, language, path, q: "", isIndexed: false, content: article, ...(head && { head }) });
}

/** A path with the parameter that chooses its language. */
export function inLanguage(path: string, language: Language): string {
  return `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;
}

/** The address of a page of the site. A reader who has chosen a language keeps it. @param path below the base path */
export function pageAddress({ basePath, lang }: Pick<Site, "basePath" | "lang">, path: string): string {
  return basePath + keepLanguage(path, lang);
}

/** The same for a complete address. */
export function keepLanguage(address: string, lang: Language | undefined): string {
  if (lang === undefined || /[?&]lang=/.test(address)) return address;
  const [page = "", fragment] = address.split("#", 2);
  return inLanguage(page, lang) + (fragment === undefined ? "" : `#${fragment}`);
}

/** The field of a form that keeps the language. */
export function languageField({ lang }: Pick<Site, "lang">): Html {
  return lang === undefined ? NOTHING : html`<input type="hidden" name="lang" value="${lang}">`;
}

function headerOf(site: Site, { language, q }: Page): Html {
  const { name, basePath, logo } = site;
  const words = WORDS[language];
  const search = html`<form action="${basePath}/" method="get" role="search" aria-label="${words.searchLabel}"><input type="search" name="q" value="${q}" aria-label="${words.searchLabel}" maxlength="1000">${languageField(site)}<button>${words.search}</button></form>`;
  return html`<header class="top"><div class="wrap">
<a class="brand" href="${pageAddress(site, "/")}">${logo === undefined ? NOTHING : html`<img src="${basePath}${logo}" alt="">`}${name}</a>
${q === undefined ? NOTHING : search}
<nav><a href="${basePath}/app/">${words.signIn}</a></nav>
</div></header>`;
}

function footerOf(site: Site, { language, path }: Page): Html {
  const { basePath, links, hasAbout } = site;
  const words = WORDS[language];
  const others = LANGUAGES.filter((other) => path !== undefined && other !== language);
  return html`<footer><div class="wrap">
${hasAbout ? html`<a href="${pageAddress(site, "/about")}">${words.about}</a>` : NOTHING}
${links[language].map(({ text, url }) => html`<a href="${url}">${text}</a>\n`)}
<a href="${basePath}/feed.atom">${words.feed}</a>
<a href="${basePath}/docs/">${words.api}</a>
<span class="language">${others.map((other) => html`<a href="${basePath}${inLanguage(path ?? "/", other)}" hreflang="${other}" lang="${other}">${words.otherLanguage}</a>`)}</span>
</div></footer>`;
}
