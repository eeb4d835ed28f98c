import { slimCroissant } from "../../../describe/formats/croissant/croissant.ts";
import { type DublinCoreValue, dublinCoreElements } from "../../../describe/formats/dublin-core.ts";
import type { Agent, Summary } from "../../../describe/formats/export-input.ts";
import { cutAtWord } from "../../../describe/formats/schema-org/short-text.ts";
import { schemaOrg } from "../../../describe/formats/schema-org.ts";
import { textIn } from "../../../domain/collection.ts";
import { type Html, html, jsonLd, NOTHING } from "../html.ts";
import type { Site } from "../site.ts";
import type { Landing, TypedLink } from "./shown.ts";

const LONGEST_SUMMARY = 300;
/** People who are described with their institutions; of the others a page has the names. Exports describe all. */
const MOST_DESCRIBED = 25;

/**
 * What machines read in the head of a landing page: schema.org as JSON-LD, then slim Croissant with the same `@id`, the tags of
 * reference managers (“Highwire Press tags”, as Google Scholar and Zotero read them), Dublin Core, and Open Graph.
 */
export function headOf(site: Site, landing: Landing, summary: Summary): Html {
  const { described, language } = landing;
  const { facts, query } = described;
  const dataset = shortened(schemaOrg(described) as SchemaOrg);
  const tags: [string, string | undefined][] = [
    ["description", oneLine(summary.description)],
    ["citation_title", summary.title],
    ...summary.creators.slice(0, MOST_DESCRIBED).flatMap(citationAuthor),
    ...summary.creators.slice(MOST_DESCRIBED).map(({ name }): [string, string] => ["citation_author", name]),
    ["citation_publication_date", summary.issued.replaceAll("-", "/")],
    ["citation_online_date", summary.issued.replaceAll("-", "/")],
    ["citation_publisher", summary.publisher.name],
    ["citation_doi", summary.doi],
    ["citation_language", summary.language],
    ["citation_keywords", summary.keywords.join("; ") || undefined],
    ["citation_abstract_html_url", `${facts.url}${query}`],
    ["DCTERMS.issued", summary.issued],
    ["DCTERMS.available", summary.available],
  ];
  const graph: [string, string][] = [
    ["og:type", "website"],
    ["og:title", summary.title],
    ["og:description", oneLine(summary.description)],
    ["og:url", `${facts.url}${query}`],
    ["og:site_name", site.name],
    ["og:locale", language === "de" ? "de_DE" : "en_GB"],
  ];
  return html`<link rel="canonical" href="${facts.url}${query}">
${signpostingLinks(landing.signposting)}<link rel="schema.DC" href="http://purl.org/dc/elements/1.1/">
<link rel="schema.DCTERMS" href="http://purl.org/dc/terms/">
${tags.map(([name, content]) => (content === undefined ? NOTHING : html`<meta name="${name}" content="${content}">\n`))}${dublinCoreElements(described).map(dublinCoreTag)}${graph.map(([property, content]) => html`<meta property="${property}" content="${content}">\n`)}${compareScript(landing)}${moduleScript(landing.copy)}${moduleScript(landing.tools?.script)}<script type="application/ld+json">${jsonLd(datasetOf(site, landing, dataset))}</script>
<script type="application/ld+json">${jsonLd(slimCroissant(described, { ...dataset, creator: dataset.creator.map(named) }))}</script>
`;
}

/** The links of the `Link` header, for programs that read only the page. Files are elsewhere in the page. */
export function signpostingLinks(links: readonly TypedLink[]): Html[] {
  return links
    .filter(({ rel }) => rel !== "item")
    .map(({ rel, href, type }) => html`<link rel="${rel}" href="${href}"${type ? html` type="${type}"` : NOTHING}>\n`);
}

function dublinCoreTag([name, { text, language }]: [string, DublinCoreValue]): Html {
  const lang = language === undefined ? NOTHING : html` lang="${language}"`;
  return html`<meta name="DC.${name}" content="${oneLine(text)}"${lang}>\n`;
}

/** A script that adds something to the page; nothing without it. */
export function moduleScript(address: string | undefined): Html {
  return address === undefined ? NOTHING : html`<script type="module" src="${address}"></script>\n`;
}

/** The script that compares a copy with the dataset, where its files are open. */
function compareScript({ access, isRegistering, compare }: Landing): Html {
  if (access !== "open" || isRegistering || compare === undefined) return NOTHING;
  return html`${compare.styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}<script type="module" src="${compare.script}"></script>
`;
}

/** The members of schema.org that the page changes. */
interface SchemaOrg {
  creator: object[];
  contributor?: object[];
  distribution: object[];
  isPartOf?: object | object[];
}

function shortened(dataset: SchemaOrg): SchemaOrg {
  const some = (agents: object[]) => [
    ...agents.slice(0, MOST_DESCRIBED),
    ...agents.slice(MOST_DESCRIBED).map((agent) => inShort(agent)),
  ];
  const { creator, contributor } = dataset;
  return { ...dataset, creator: some(creator), ...(contributor !== undefined && { contributor: some(contributor) }) };
}

/** A person or an organisation without its institutions. */
function inShort(agent: object): object {
  const { affiliation: _, memberOf: __, ...others } = agent as Record<string, unknown>;
  return others;
}

/** What Croissant needs of a person: the other block of the page says more about the same one. */
function named(agent: object): object {
  const { "@id": id, "@type": type, name } = agent as Record<string, unknown>;
  return { ...(id !== undefined && { "@id": id }), "@type": type, name };
}

/** The dataset with the catalogue and the collections that contain it, and its files if they are few. */
function datasetOf({ name, url }: Site, { few, collections, language }: Landing, dataset: SchemaOrg): object {
  const parents = collections.map(({ id, name: own }) => {
    return { "@type": "Collection", "@id": `${url}/collections/${id}`, name: textIn(own, language).text };
  });
  return {
    ...dataset,
    distribution: [
      ...dataset.distribution,
      ...few.map((file) => ({
        "@type": "DataDownload",
        name: file.path,
        contentUrl: file.url,
        contentSize: `${file.bytes} B`,
        encodingFormat: file.mediaType,
      })),
    ],
    ...(parents.length > 0 && { isPartOf: [...[dataset.isPartOf ?? []].flat(), ...parents] }),
    includedInDataCatalog: { "@type": "DataCatalog", name, url: `${url}/` },
  };
}

function citationAuthor({ name, orcid, affiliations }: Agent): [string, string | undefined][] {
  return [
    ["citation_author", name],
    ...affiliations.map((one): [string, string] => ["citation_author_institution", one.name]),
    ["citation_author_orcid", orcid],
  ];
}

/** A text as one line, shortened, because a page has longer ones once in its body. */
function oneLine(text: string): string {
  return cutAtWord(text.replace(/\s+/g, " ").trim(), LONGEST_SUMMARY);
}
