import { unmarked } from "../../../describe/markup.ts";
import { type LocalText, textIn } from "../../../domain/collection.ts";
import { numberText } from "../format.ts";
import { type Html, html, jsonLd, NOTHING } from "../html.ts";
import { document, pageAddress } from "../layout.ts";
import { textBlock } from "../markup.ts";
import type { Language, Site } from "../site.ts";
import { WORDS } from "../words.ts";
import { type CatalogueResults, feedLink, feedPart, searchForm, searchResults } from "./catalogue.ts";
import { addressOf, feedAddressOf, isStartPage, type ShownSearch } from "./search.ts";

/** A collection on public pages. */
export interface ShownCollection {
  id: string;
  name: LocalText;
  description: LocalText;
  /** SPDX ids; empty for all. */
  licences: readonly string[];
  /** Number of its published datasets. */
  datasets: number;
}

const LONGEST_SUMMARY = 280;

/** The path of a collection below the base path. */
export function collectionPath(id: string): string {
  return `/collections/${id}`;
}

/** The list of collections. */
export function collectionsPage(site: Site, collections: readonly ShownCollection[], language: Language): string {
  const words = WORDS[language].collections;
  const content =
    collections.length === 0
      ? html`<p>${words.none}</p>`
      : html`<ul class="results">${collections.map((one) => entry(site, one, language))}</ul>`;
  return document(site, {
    title: words.title,
    language,
    path: "/collections",
    q: "",
    isIndexed: true,
    content: html`<h1>${words.title}</h1>
${content}`,
  });
}

function entry(site: Site, { id, name, description, datasets }: ShownCollection, language: Language): Html {
  const title = textIn(name, language);
  const about = textIn(description, language);
  const summary = unmarked(about.text).replace(/\s+/g, " ").trim();
  const cut = summary.length > LONGEST_SUMMARY ? `${summary.slice(0, LONGEST_SUMMARY).toWellFormed()} …` : summary;
  return html`<li><h2><a href="${pageAddress(site, collectionPath(id))}"${langOf(title, language)}>${title.text}</a></h2>
${cut === "" ? NOTHING : html`<p class="small"${langOf(about, language)}>${cut}</p>`}
<p class="small dim">${WORDS[language].catalogue.found(numberText(datasets, language), datasets === 1)}</p></li>
`;
}

/** The page of a collection: what it is, and a search of its datasets. */
export function collectionPage(
  site: Site,
  { id, name, description, licences }: ShownCollection,
  { search, results }: { search: ShownSearch; results: CatalogueResults },
  language: Language,
): string {
  const words = WORDS[language].collections;
  const title = textIn(name, language);
  const about = textIn(description, language);
  const isStart = isStartPage(search);
  const feed = feedAddressOf({ q: "", chosen: [] }, id);
  const url = `${site.url}${collectionPath(id)}`;
  return document(site, {
    title: search.q === "" ? title.text : `${search.q} – ${title.text}`,
    language,
    path: addressOf(search, {}),
    isIndexed: isStart,
    head: html`<link rel="canonical" href="${url}">
${feedLink(site, feed, words.feed(title.text))}<meta name="description" content="${unmarked(about.text).replace(/\s+/g, " ").trim().slice(0, LONGEST_SUMMARY)}">
<script type="application/ld+json">${jsonLd({
      "@context": "https://schema.org/",
      "@type": "Collection",
      "@id": url,
      url,
      name: title.text,
      ...(about.text !== "" && { description: unmarked(about.text) }),
      isPartOf: { "@type": "DataCatalog", name: site.name, url: `${site.url}/` },
    })}</script>
`,
    content: html`<p class="small"><a href="${pageAddress(site, "/collections")}">${words.all}</a></p>
<div class="big"><h1${langOf(title, language)}>${title.text}</h1>
${about.text === "" ? NOTHING : textBlock(about.text, langOf(about, language), WORDS[language].landing.restOfText)}
${licences.length === 0 ? NOTHING : html`<p class="small dim">${words.licences(licences.join(", "))}</p>`}
${feedPart(site, feed, words.feedLink)}
${searchForm(site, search, language)}</div>
${searchResults(site, search, results, language)}
${isStart ? NOTHING : feedPart(site, feedAddressOf(search, id), WORDS[language].catalogue.searchFeed)}`,
  });
}

/** The attribute for a text in another language than the page. */
function langOf(text: { language: Language }, language: Language): Html {
  return text.language === language ? NOTHING : html` lang="${text.language}"`;
}
