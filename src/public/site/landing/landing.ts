import { type Summary, summaryOf } from "../../../describe/formats/export-input.ts";
import { METADATA_FORMATS } from "../../../describe/formats/formats.ts";
import type { Licence } from "../../../describe/metadata/values/licence.ts";
import { descriptionOf } from "../../../describe/version-facts.ts";
import { textIn } from "../../../domain/collection.ts";
import { dayText, languageName, numberText, sizeText } from "../format.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import { document } from "../layout.ts";
import { textBlock } from "../markup.ts";
import { readmePart } from "../preview/readme.ts";
import type { Site } from "../site.ts";
import { WORDS } from "../words.ts";
import { changesPart } from "./changes.ts";
import { citePart } from "./cite.ts";
import { filesPart } from "./files.ts";
import { headOf } from "./head.ts";
import { ownFieldsPart } from "./own-fields.ts";
import { creatorsOf, peopleOf } from "./people.ts";
import { placesPart } from "./places.ts";
import type { Landing } from "./shown.ts";
import { versionsPart } from "./versions.ts";
import { fundingPart, relatedPart } from "./works.ts";

/**
 * The landing page of a published version, complete without scripts.
 *
 * @returns the page, and as `basis` the page without the numbers of its use: they change with every reader, and do not make
 * another page of it
 */
export function landingPage(site: Site, landing: Landing): { text: string; basis: string } {
  const { described, language } = landing;
  const summary = summaryOf(described);
  const text = document(site, {
    title: summary.title,
    language,
    path: `/dataset/${described.facts.datasetId}${landing.query}`,
    head: headOf(site, landing, summary),
    content: contentOf(site, landing, summary),
    q: "",
    // It can be taken back.
    isIndexed: landing.isFirstPage && !landing.isRegistering,
  });
  return { text, basis: text.replace(usageBox(landing).text, "") };
}

function contentOf(site: Site, landing: Landing, summary: Summary): Html {
  const { described, language, publishedAt, versions } = landing;
  const words = WORDS[language].landing;
  const { metadata, version } = described.facts;
  const newest = versions[0]?.number ?? version;
  const spoken = metadata.language;
  return html`<article>
<header>
<h1${langOf(spoken)}>${summary.title}</h1>
${otherTitles(landing)}
${creatorsOf(summary, language)}
<p class="badges">${landing.isRegistering ? NOTHING : html`<span class="badge ${landing.access}">${WORDS[language].access[landing.access]}</span>`}
<span class="badge">${WORDS[language].resourceTypes[metadata.resourceTypeGeneral ?? "Dataset"]}</span>
<span class="dim small">${words.version(summary.version)}${landing.isRegistering ? NOTHING : html` · ${words.published} <time datetime="${publishedAt.toISOString()}">${dayText(publishedAt.toISOString(), language)}</time>`}</span></p>
${downloadPart(landing)}</header>
${newest > version ? html`<p class="notice">${words.newer} <a href="${described.facts.url}">${words.openNewest}</a></p>` : NOTHING}
${landing.isRegistering ? html`<p class="notice">${words.registering}</p>` : NOTHING}
${accessNotice(landing, summary)}
<div class="two"><div>
<section aria-labelledby="description"><h2 id="description">${words.description}</h2>
${textBlock(descriptionOf(metadata), langOf(spoken))}
${otherDescriptions(landing)}</section>
${citePart(landing)}
${filesPart(landing)}
${readmePart(landing.readme, language)}
${comparePart(site, landing)}
${relatedPart(landing)}
${fundingPart(landing)}
${placesPart(landing)}
${ownFieldsPart(landing)}
${versionsPart(landing)}
${changesPart(landing)}
</div><div>
${toolsBox(landing)}
${collectionsBox(site, landing)}${detailsBox(site, landing, summary)}
${custodyOf(site, landing)}
${usageBox(landing)}
${exportsBox(landing)}
<p class="small no-print"><a href="${landing.links.manage}">${words.manage}</a> <span class="dim">(${words.manageWhy})</span></p>
</div></div>
</article>`;
}

/** The attribute for a text in another language than the page’s. */
function langOf(code: string | undefined): Html {
  return code === undefined ? NOTHING : html` lang="${code}"`;
}

/** The collections of the dataset; nothing if it belongs to none. */
function collectionsBox({ basePath }: Site, { collections, language }: Landing): Html {
  if (collections.length === 0) return NOTHING;
  const shown = collections.map(({ id, name }) => ({ id, ...textIn(name, language) }));
  return html`<section class="box" aria-labelledby="collections"><h2 id="collections">${WORDS[language].landing.partOf(shown.length === 1)}</h2>
<ul>${shown.map(({ id, text, language: written }) => html`<li><a href="${basePath}/collections/${id}"${written === language ? NOTHING : langOf(written)}>${text}</a></li>`)}</ul></section>
`;
}

/** Subtitles, translated and alternative titles. */
function otherTitles({ described }: Landing): Html {
  const { titles = [] } = described.facts.metadata;
  return html`${titles.map(({ title, language }) => html`<p class="dim"${langOf(language)}>${title}</p>`)}`;
}

/** Why the files are closed, and how to get access; nothing if they are open. */
function accessNotice({ access, embargoDate, isRegistering, language, links }: Landing, { contact }: Summary): Html {
  // Access can only be asked for, and granted, after publication.
  if (access === "open" || isRegistering) return NOTHING;
  const words = WORDS[language].landing;
  const what = access === "embargoed" ? words.embargoed(dayText(embargoDate ?? "", language)) : words.restricted;
  return html`<div class="notice"><p>${what}</p>
<p><a href="${links.ask}">${words.ask}</a>. ${words.askWhy}${contact === undefined ? NOTHING : html`<br>${words.contact}: ${mailbox(contact)}`}</p></div>`;
}

function otherDescriptions({ described, language }: Landing): Html[] {
  const words = WORDS[language].landing;
  const { descriptions = [], acknowledgements } = described.facts.metadata;
  const texts = descriptions.map(
    (one) =>
      html`<h3>${words.descriptions[one.descriptionType]}</h3>${textBlock(one.description, langOf(one.language))}`,
  );
  if (acknowledgements === undefined) return texts;
  return [...texts, html`<h3>${words.acknowledgements}</h3>${textBlock(acknowledgements)}`];
}

function downloadPart(landing: Landing): Html {
  const { described, access, isRegistering, language } = landing;
  if (access !== "open" || isRegistering) return NOTHING;
  const words = WORDS[language].landing;
  const [crate, bag] = described.downloads;
  return html`<p class="pages no-print"><a class="button" href="${crate?.url}">${words.zip}, ${sizeText(described.facts.bytes, language)}</a>
<a class="small" href="${bag?.url}">${words.bag}</a></p>
${unpackingPart(landing)}`;
}

/** A path as in the list of files. */
function inBucket(path: string): string {
  return path.slice("data/".length);
}

/** The names that a reader's system may not be able to keep. */
function unpackingPart({ unpacking, language }: Landing): Html {
  if (unpacking === undefined || unpacking.files === 0) return NOTHING;
  const words = WORDS[language].landing;
  const { files, named } = unpacking;
  const rest = files - named.length;
  return html`<details class="small no-print"><summary>${words.differentNames(files, numberText(files, language))}</summary>
<p>${words.differentNamesAdvice}</p>
<ul>${named.map(({ path, reason, other }) => html`<li><code>${inBucket(path)}</code><br>${words.differentNamesReasons[reason](inBucket(other ?? ""))}</li>`)}${rest > 0 ? html`<li>${words.furtherNames(numberText(rest, language))}</li>` : NOTHING}</ul></details>`;
}

/** The place where a script compares a copy of the files with the dataset. Without scripts, the command does the same. */
function comparePart({ basePath }: Site, landing: Landing): Html {
  const { access, isRegistering, compare, language } = landing;
  const { facts } = landing.described;
  if (access !== "open" || isRegistering || compare === undefined) return NOTHING;
  const words = WORDS[language].landing;
  const files = `${basePath}/dataset/${facts.datasetId}/files?version=${facts.version}`;
  return html`<section class="no-print" aria-labelledby="compare"><h2 id="compare">${words.compare}</h2>
<div data-compare data-files="${files}" data-heading="none"></div>
<noscript><p class="small">${words.compareByCommand} <code>accession compare DIR "${facts.url}?version=${facts.version}"</code></p></noscript></section>`;
}

function detailsBox({ basePath }: Site, { described, language }: Landing, summary: Summary): Html {
  const words = WORDS[language].landing;
  const { metadata } = described.facts;
  const { keywords, publisher, contact } = summary;
  const rows: [string, Html | Html[] | undefined][] = [
    [words.identifier, linked(summary.url, summary.doi ?? summary.identifier)],
    [
      words.licence,
      [
        metadata.license === undefined ? html`${words.noLicence}` : licenceOf(metadata.license, language),
        ...(metadata.licenses ?? []).map(
          ({ license, appliesTo }) =>
            html`<br>${licenceOf(license, language)}${appliesTo === undefined ? "" : ` (${appliesTo})`}`,
        ),
      ],
    ],
    [words.publisher, linked(publisher.url, publisher.name)],
    [
      words.subjects,
      keywords.length === 0
        ? undefined
        : html`<ul class="tags">${keywords.map((word) => html`<li><a href="${basePath}/?${new URLSearchParams({ q: `"${word.replaceAll('"', "")}"` }).toString()}">${word}</a></li>`)}</ul>`,
    ],
    [words.type, metadata.resourceType === undefined ? undefined : html`${metadata.resourceType}`],
    [words.languageOf, summary.language === undefined ? undefined : html`${languageName(summary.language, language)}`],
    [words.contributors, summary.contributors.length === 0 ? undefined : peopleOf(summary.contributors, language)],
    [words.contact, contact === undefined ? undefined : mailbox(contact)],
    ...(metadata.dates ?? []).map(({ date, dateType, dateInformation }): [string, Html] => [
      words.dateTypes[dateType] ?? dateType,
      html`${date.replace("/", " – ")}${dateInformation === undefined ? "" : ` (${dateInformation})`}`,
    ]),
    [
      words.otherIdentifiers,
      (metadata.alternateIdentifiers ?? []).map(
        ({ alternateIdentifier, alternateIdentifierType }) =>
          html`${alternateIdentifierType}: ${linked(alternateIdentifier, alternateIdentifier)}<br>`,
      ),
    ],
  ];
  const shown = rows.filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0));
  return html`<section class="box" aria-labelledby="details"><h2 id="details">${words.details}</h2>
<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

/** Hidden until a script has learned that the reader is the owner, a curator or an admin. */
function toolsBox({ tools, links, versions, described, language }: Landing): Html {
  if (tools === undefined) return NOTHING;
  const words = WORDS[language].landing;
  const isNewest = versions[0]?.number === described.facts.version;
  return html`<section class="box no-print" aria-labelledby="tools" data-tools="${tools.publication}" data-application="${tools.application}" hidden><h2 id="tools">${words.tools}</h2>
<ul><li><a href="${links.manage}">${words.publication}</a></li>
${
  isNewest
    ? html`<li><a href="${links.edit}">${words.edit}</a></li>
<li><a href="${links.newVersion}">${words.newVersion}</a></li>`
    : NOTHING
}</ul></section>`;
}

function usageBox({ usage, language }: Landing): Html {
  if (usage === undefined) return NOTHING;
  const words = WORDS[language].landing;
  const shown = (value: number) => [numberText(value, language), value === 1] as const;
  return html`<section class="box" aria-labelledby="usage"><h2 id="usage">${words.usage}</h2>
<p>${words.views(...shown(usage.views))}<br>${words.downloads(...shown(usage.downloads))}</p></section>`;
}

function exportsBox({ described: { facts, query }, language }: Landing): Html {
  const formats = Object.entries(METADATA_FORMATS);
  return html`<section class="box no-print" aria-labelledby="exports"><h2 id="exports">${WORDS[language].landing.exports}</h2>
<ul class="tags">${formats.map(([name, { title }]) => html`<li><a href="${facts.url}/export/${name}${query}">${title}</a></li>`)}</ul></section>`;
}

function licenceOf({ spdx, name, url }: Licence, language: Landing["language"]): Html {
  const shown = WORDS[language].landing.licenceNames[spdx ?? ""] ?? name;
  return isWebAddress(url) ? html`<a rel="license" href="${url}">${shown}</a>` : html`${shown}`;
}

function linked(url: string | undefined, text: string): Html {
  return isWebAddress(url) ? html`<a href="${url}">${text}</a>` : html`${text}`;
}

function mailbox({ name, email }: NonNullable<Summary["contact"]>): Html {
  return html`${name === undefined ? "" : `${name} `}<a href="mailto:${email}">${email}</a>`;
}

/** When and how the files were verified: at archiving against their source, and by the last audit. */
function custodyOf({ url }: Site, { described, audit, record, language }: Landing): Html {
  const words = WORDS[language].landing;
  const { archivedAt } = described.facts;
  const day = (time: string) => dayText(time, language);
  const checked = audit?.at.toISOString() ?? "";
  const audited =
    audit === undefined ? words.notAudited : audit.isIntact ? words.audited(day(checked)) : words.damaged(day(checked));
  return html`<section class="box" aria-labelledby="custody"><h2 id="custody">${words.custody}</h2>
<p class="small">${words.verified(day(archivedAt))}</p>
<p class="small">${audited}</p>${
    record === undefined
      ? NOTHING
      : html`
<p class="small"><a href="${record}">${words.record}</a>. ${words.recordMeans} <code>accession receipt verify FILE --jwks ${url}/.well-known/jwks.json</code></p>`
  }</section>`;
}
