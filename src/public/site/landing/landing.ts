import { visible } from "../../../../packages/rules/src/index.ts";
import { type Summary, summaryOf } from "../../../describe/formats/export-input.ts";
import { dayText, numberText, sizeText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { document, keepLanguage, pageAddress } from "../layout.ts";
import { readmePart } from "../preview/readme.ts";
import type { Site } from "../site.ts";
import { WORDS } from "../words.ts";
import { changesPart } from "./changes.ts";
import { citePart } from "./cite.ts";
import { descriptionPart, headingPart } from "./description.ts";
import { detailsBox, mailbox } from "./details.ts";
import { filesPart } from "./files.ts";
import { headOf } from "./head.ts";
import { ownFieldsPart } from "./own-fields.ts";
import { collectionsBox, exportsBox, identityOf } from "./parts.ts";
import { placesPart } from "./places.ts";
import type { Landing } from "./shown.ts";
import { langOf, type Stated } from "./stated.ts";
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
  const own = versions.find(({ number }) => number === version);
  const newest = versions[0]?.number ?? version;
  const stated: Stated = {
    ...{ language, metadata, isWhole: true, hasPlaces: false },
    catalogue: (query) => pageAddress(site, `/?${query}`),
  };
  const day = html` · ${words.published} <time datetime="${publishedAt.toISOString()}">${dayText(publishedAt.toISOString(), language)}</time>`;
  const heading = landing.isRegistering ? { access: undefined, date: NOTHING } : { access: landing.access, date: day };
  return html`<article>
<header>
<h1${langOf(metadata.language)}>${summary.title}</h1>
${headingPart(stated, { ...summary, ...heading })}
${downloadPart(landing)}</header>
${newest > version ? html`<p class="notice">${words.newer} <a href="${keepLanguage(described.facts.url, site.lang)}">${words.openNewest}</a></p>` : NOTHING}
${landing.isRegistering ? html`<p class="notice">${words.registering}</p>` : NOTHING}
${accessNotice(landing, summary)}
<div class="two"><div>
${descriptionPart(stated)}
${citePart(described, language)}
${filesPart(landing)}
${readmePart(landing.readme, language)}
${comparePart(site, landing)}
${relatedPart(stated)}
${fundingPart(stated)}
${placesPart(stated)}
${ownFieldsPart(stated, described)}
${versionsPart(site, landing)}
${changesPart(site, landing)}
</div><div>
${toolsBox(landing)}
${collectionsBox(site, landing)}${detailsBox(stated, identityOf(summary, own?.identifier ?? undefined))}
${custodyOf(site, landing)}
${usageBox(landing)}
${exportsBox(described, language)}
<p class="small no-print"><a href="${landing.links.manage}">${words.manage}</a> <span class="dim">(${words.manageWhy})</span></p>
</div></div>
</article>`;
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
  return visible(path.slice("data/".length));
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

/** Hidden until a script has learned that the reader is the owner, a curator or an admin. */
function toolsBox({ tools, links, versions, described, language }: Landing): Html {
  if (tools === undefined) return NOTHING;
  const words = WORDS[language].landing;
  const isNewest = versions[0]?.number === described.facts.version;
  return html`<section class="box no-print" aria-labelledby="tools" data-tools="${tools.publication}" data-application="${tools.application}" hidden><h2 id="tools">${words.tools}</h2>
<ul class="actions"><li><a class="button quiet" href="${links.manage}">${words.publication}</a> <span class="small dim" data-comments data-one="${words.openComment}" data-several="${words.openComments}" hidden></span></li>
${
  isNewest
    ? html`<li><a class="button quiet" href="${links.edit}">${words.edit}</a></li>
<li><a class="button quiet" href="${links.newVersion}">${words.newVersion}</a></li>`
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
