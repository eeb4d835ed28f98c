import type { AccessKind } from "../../../../packages/rules/src/index.ts";
import type { CatalogueSummary, MatchedPart } from "../../catalogue/entry.ts";
import { dayText, numberText, sizeText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { document, languageField, pageAddress } from "../layout.ts";
import type { Language, Site } from "../site.ts";
import { WORDS } from "../words.ts";
import { facetsPart, type ShownFacet } from "./facets.ts";
import { addressOf, feedAddressOf, isStartPage, type ShownSearch, type Sort } from "./search.ts";

/** A found dataset. */
export interface ShownDataset {
  id: string;
  title: string;
  summary: CatalogueSummary;
  access: AccessKind;
  embargoDate: string | null;
  publishedAt: Date;
  /** Where words of the search text were found. */
  matchedIn: readonly MatchedPart[];
}

export interface CatalogueResults {
  total: number;
  datasets: readonly ShownDataset[];
  facets: readonly ShownFacet[];
  /** Number of pages that can be opened, and whether there are more datasets than they show. */
  pages: number;
  isCut: boolean;
  /** Marks in a text what matches the search text. */
  highlight: (text: string) => readonly { text: string; isMatch: boolean }[];
}

const LONGEST_EXCERPT = 280;

/**
 * The catalogue: the search, its results, and the values by which it can be narrowed down. Works without scripts.
 * @param shown.hasCollections whether there are collections, to which a link of the start page leads
 */
export function cataloguePage(
  site: Site,
  shown: { search: ShownSearch; results: CatalogueResults; hasCollections: boolean },
  language: Language,
): string {
  const { search, results, hasCollections } = shown;
  const words = WORDS[language].catalogue;
  const isStart = isStartPage(search);
  return document(site, {
    title: isStart ? site.name : search.q === "" ? words.title : `${search.q} – ${words.title}`,
    language,
    path: addressOf(search, {}),
    ...(!isStart && { head: feedLink(site, feedAddressOf(search), words.searchFeed) }),
    // Search engines list the datasets, not every combination of filters.
    isIndexed: isStart && addressOf(search, {}) === search.path,
    content: html`<div class="big"><h1>${isStart ? words.all : words.title}</h1>
${searchForm(site, search, language)}<p class="small dim no-print">${words.syntax}</p>${isStart && hasCollections ? html`<p><a href="${pageAddress(site, "/collections")}">${WORDS[language].collections.all}</a></p>` : NOTHING}</div>
${searchResults(site, search, results, language)}
${isStart ? NOTHING : feedPart(site, feedAddressOf(search), words.searchFeed)}`,
  });
}

/** The feed of a search for programs that read the head of a page. @param address below the base path */
export function feedLink({ basePath }: Site, address: string, title: string): Html {
  return html`<link rel="alternate" type="application/atom+xml" href="${basePath}${address}" title="${title}">
`;
}

/** The feed of a search for people. @param address below the base path */
export function feedPart({ basePath }: Site, address: string, text: string): Html {
  return html`<p class="small no-print"><a href="${basePath}${address}">${text}</a></p>`;
}

/** The results of a search, beside the values by which it can be narrowed down. */
export function searchResults(site: Site, search: ShownSearch, results: CatalogueResults, language: Language): Html {
  return html`<div class="two left"><div>${facetsPart(site, search, results, language)}</div>
<div>${resultsPart(site, search, results, language)}</div></div>`;
}

/** The field for the search text, which keeps the chosen values. */
export function searchForm(site: Site, { path, q, chosen }: ShownSearch, language: Language): Html {
  const words = WORDS[language];
  return html`<form action="${site.basePath}${path}" method="get" role="search"><input type="search" name="q" value="${q}" aria-label="${words.searchLabel}" maxlength="1000">${hidden(chosen)}${languageField(site)}<button>${words.search}</button></form>`;
}

function hidden(chosen: ShownSearch["chosen"]): Html[] {
  return chosen.map(({ kind, value }) => html`<input type="hidden" name="${kind}" value="${value}">`);
}

function resultsPart(site: Site, search: ShownSearch, results: CatalogueResults, language: Language): Html {
  const words = WORDS[language].catalogue;
  const { total, datasets } = results;
  const number = numberText(total, language);
  const found = search.q === "" ? words.found(number, total === 1) : words.foundFor(number, total === 1, search.q);
  return html`${ignoredPart(search, language)}<div class="bar"><h2 id="results">${found}</h2>${sortForm(site, search, language)}</div>
${datasets.length === 0 ? nothingPart(site, search, total, language) : html`<ol class="results" aria-labelledby="results">${datasets.map((one) => entry(site, one, results, language))}</ol>`}
${pagesPart(site, search, results, language)}`;
}

/** Why no dataset is listed. */
function nothingPart(site: Site, search: ShownSearch, total: number, language: Language): Html {
  const words = WORDS[language].catalogue;
  if (total > 0) {
    const first = pageAddress(site, addressOf(search, { page: 1 }));
    return html`<p>${words.noPage(numberText(search.page, language))} <a href="${first}">${words.firstPage}</a></p>`;
  }
  if (search.q !== "" || search.chosen.length > 0) return html`<p>${words.none} ${words.advice}</p>`;
  return html`<p>${search.path === "/" ? words.noneYet : WORDS[language].collections.empty}</p>`;
}

/** Which parts of the address do not restrict the results, so that nobody takes them for what was asked for. */
function ignoredPart({ ignored }: ShownSearch, language: Language): Html {
  if (ignored.length === 0) return NOTHING;
  const words = WORDS[language].catalogue;
  const others = ignored.filter((name) => name !== "q");
  return html`<div class="notice" role="alert">${ignored.includes("q") ? html`<p>${words.shortened}</p>` : NOTHING}${others.length === 0 ? NOTHING : html`<p>${words.ignored(others.join(", "))}</p>`}</div>
`;
}

function entry(site: Site, dataset: ShownDataset, results: CatalogueResults, language: Language): Html {
  const words = WORDS[language];
  const { highlight } = results;
  const { id, title, summary, access, embargoDate, publishedAt } = dataset;
  const { creators, creatorCount, description, objects, bytes } = summary;
  const others = creatorCount > creators.length ? ` ${words.catalogue.others(creatorCount - creators.length)}` : "";
  const state =
    access === "embargoed"
      ? `${words.access.embargoed} (${dayText(embargoDate ?? "", language)})`
      : words.access[access];
  return html`<li><h3><a href="${pageAddress(site, `/dataset/${id}`)}">${marked(highlight(title))}</a></h3>
<p class="small">${marked(highlight(creators.join("; ")))}${others} (${summary.year})</p>
${description === "" ? NOTHING : html`<p class="small">${marked(excerptOf(highlight(description)))}</p>`}
${matchesPart(dataset, results, language)}<p class="badges"><span class="badge ${access}">${state}</span> ${typeOf(summary, language)}<span class="small dim">${words.landing.fileCount(numberText(objects, language), objects === 1, sizeText(bytes, language))} · ${dayText(publishedAt.toISOString(), language)}${summary.licence === null ? "" : ` · ${summary.licence}`}</span></p></li>
`;
}

/** The kind of what is not simply a dataset. */
function typeOf({ resourceType }: CatalogueSummary, language: Language): Html {
  if (resourceType === "Dataset") return NOTHING;
  return html`<span class="badge">${WORDS[language].resourceTypes[resourceType] ?? resourceType}</span> `;
}

/** Keywords that match the search text, and the other places in which it was found if nothing that is shown explains the result. */
function matchesPart(
  { title, summary, matchedIn }: ShownDataset,
  { highlight }: CatalogueResults,
  language: Language,
): Html {
  const words = WORDS[language];
  const { creators, keywords, description } = summary;
  const isMarked = (text: string) => highlight(text).some(({ isMatch }) => isMatch);
  const found = keywords.filter(isMarked);
  const isNameShown = found.length > 0 || creators.some(isMarked);
  const others = [
    ...(matchedIn.includes("title") && !isMarked(title) ? [words.catalogue.matched.title] : []),
    ...(matchedIn.includes("names") && !isNameShown ? [words.catalogue.matched.names] : []),
    ...(matchedIn.includes("metadata") && !isMarked(description) ? [words.catalogue.matched.metadata] : []),
    ...(matchedIn.includes("files") ? [words.catalogue.matched.files] : []),
  ];
  const marks = found.map((keyword, index) => html`${index === 0 ? "" : ", "}${marked(highlight(keyword))}`);
  return html`${found.length === 0 ? NOTHING : html`<p class="small">${words.landing.subjects}: ${marks}</p>\n`}${others.length === 0 ? NOTHING : html`<p class="small dim">${words.catalogue.foundIn(others.join(", "))}</p>\n`}`;
}

type Marked = readonly { text: string; isMatch: boolean }[];

function marked(parts: Marked): Html[] {
  return parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`));
}

/** The part of a description around its first match; its beginning without one. */
function excerptOf(parts: Marked): Marked {
  const first = parts.findIndex(({ isMatch }) => isMatch);
  const before =
    first <= 0
      ? ""
      : parts
          .slice(0, first)
          .map(({ text }) => text)
          .join("");
  const skipped = Math.max(0, before.length - LONGEST_EXCERPT / 3);
  const start = skipped === 0 ? 0 : before.indexOf(" ", skipped) + 1 || skipped;
  const shown: { text: string; isMatch: boolean }[] = start > 0 ? [{ text: "… ", isMatch: false }] : [];
  let position = 0;
  for (const { text, isMatch } of parts) {
    const from = Math.max(0, start - position);
    const to = Math.min(text.length, start + LONGEST_EXCERPT - position);
    if (to > from) shown.push({ text: text.slice(from, to).toWellFormed(), isMatch });
    position += text.length;
  }
  return position > start + LONGEST_EXCERPT ? [...shown, { text: " …", isMatch: false }] : shown;
}

function sortForm(site: Site, { path, q, chosen, sort }: ShownSearch, language: Language): Html {
  const words = WORDS[language].catalogue;
  const sorts: Sort[] = q === "" ? ["newest", "oldest", "title"] : ["relevance", "newest", "oldest", "title"];
  return html`<form action="${site.basePath}${path}" method="get" class="no-print">${languageField(site)}${q === "" ? NOTHING : html`<input type="hidden" name="q" value="${q}">`}${hidden(chosen)}<label class="small">${words.sort} <select name="sort">${sorts.map(
    (one) => html`<option value="${one}"${one === sort ? html` selected` : NOTHING}>${words.sorts[one]}</option>`,
  )}</select></label> <button class="quiet">${words.apply}</button></form>`;
}

function pagesPart(
  site: Site,
  search: ShownSearch,
  { pages, isCut, datasets }: CatalogueResults,
  language: Language,
): Html {
  if (pages < 2 || datasets.length === 0) return NOTHING;
  const words = WORDS[language].catalogue;
  const { page } = search;
  const link = (to: number, text: string, rel: string) =>
    html`<a class="button quiet" rel="${rel}" href="${pageAddress(site, addressOf(search, { page: to }))}">${text}</a>`;
  const last =
    isCut && page === pages
      ? html`<p class="small dim">${words.beyond(numberText(pages * datasets.length, language))}</p>`
      : NOTHING;
  return html`<nav class="pages" aria-label="${words.page(String(page), String(pages))}">${page > 1 ? link(page - 1, words.previous, "prev") : NOTHING}
<span>${words.page(numberText(page, language), numberText(pages, language))}</span>
${page < pages ? link(page + 1, words.next, "next") : NOTHING}</nav>${last}`;
}
