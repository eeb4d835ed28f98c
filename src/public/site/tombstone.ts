import type { ExportInput, Publisher } from "../../describe/formats/export-input.ts";
import { versionLabelOf } from "../../describe/version-facts.ts";
import { dayText } from "./format.ts";
import { html, isWebAddress, NOTHING } from "./html.ts";
import { citeWithdrawn } from "./landing/cite.ts";
import { moduleScript, signpostingLinks } from "./landing/head.ts";
import type { TypedLink } from "./landing/shown.ts";
import { document, pageAddress } from "./layout.ts";
import type { Language, Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** What people who follow an identifier learn of what was withdrawn. */
export interface Tombstone {
  dataset: string;
  title: string;
  /** Empty if they are not known. */
  authors: readonly string[];
  /** Number of the withdrawn version; undefined if the whole dataset was withdrawn. */
  version: number | undefined;
  /** Identifiers under which it was published. */
  identifiers: readonly string[];
  /** Of the newest version that was published; null if the time is not known. */
  publishedAt: string | null;
  /** Null if the time is not known. */
  at: string | null;
  reason: string;
  /** Numbers of versions that are still published. */
  others: readonly number[];
  /** The withdrawn version, or the newest one of a withdrawn dataset, with title, authors and version label; undefined if none was published. */
  cited: ExportInput | undefined;
  /** The script that copies the citation; undefined without it. */
  copy: string | undefined;
  /** The links for programs in the head. */
  signposting: readonly TypedLink[];
}

/** The page of a withdrawn version or dataset. Its metadata besides those in the citation are not public any more. */
export function tombstonePage(site: Site, tombstone: Tombstone, publisher: Publisher, language: Language): string {
  const words = WORDS[language].withdrawn;
  const { dataset, title, authors, version, identifiers, publishedAt, at, reason, others, cited } = tombstone;
  const named = cited === undefined ? String(version) : versionLabelOf(cited.facts);
  const newest = Math.max(...others);
  const day = (time: string) => html`<time datetime="${time}">${dayText(time, language)}</time>`;
  const path = `/dataset/${dataset}`;
  const wasPublished = version === undefined || publishedAt !== null;
  const withdrawnBy = version === undefined ? words.byAdmin : words.byCurator;
  const ofVersion = wasPublished ? words.version : words.ended;
  return document(site, {
    title: wasPublished ? words.title(title) : title,
    language,
    path: version === undefined ? path : `${path}?version=${version}`,
    q: "",
    isIndexed: false,
    head: html`${signpostingLinks(tombstone.signposting)}${cited === undefined ? NOTHING : moduleScript(tombstone.copy)}`,
    content: html`<article><h1>${title}</h1>
<p class="notice bad">${version === undefined ? words.dataset : ofVersion(named)}</p>
${newest > (version ?? 0) ? html`<p class="notice">${WORDS[language].landing.newer} <a href="${pageAddress(site, path)}">${WORDS[language].landing.openNewest}</a></p>` : NOTHING}
<dl>${authors.length === 0 ? NOTHING : html`<dt>${WORDS[language].landing.authors}</dt><dd>${authors.join("; ")}</dd>`}
${publishedAt === null ? NOTHING : html`<dt>${words.publishedOn}</dt><dd>${day(publishedAt)}</dd>`}
${at === null ? NOTHING : html`<dt>${wasPublished ? words.on : words.endedOn}</dt><dd>${day(at)}</dd>`}
${at === null || !wasPublished ? NOTHING : html`<dt>${words.by}</dt><dd>${withdrawnBy}</dd>`}
<dt>${words.reason}</dt><dd class="lines">${reason}</dd>
<dt>${words.publisher}</dt><dd>${isWebAddress(publisher.url) ? html`<a href="${publisher.url}">${publisher.name}</a>` : publisher.name}</dd>
<dt>${words.identifier}</dt><dd>${identifiers.map((one) => html`${isWebAddress(one) ? html`<a href="${one}">${one}</a>` : one}<br>`)}</dd>
${others.length === 0 ? NOTHING : html`<dt>${words.others}</dt><dd>${others.map((number) => html`<a href="${pageAddress(site, `${path}?version=${number}`)}">${WORDS[language].landing.version(String(number))}</a><br>`)}</dd>`}</dl>
${cited === undefined ? NOTHING : citeWithdrawn(cited, language)}
<p class="small dim">${words.kept}</p></article>`,
  });
}
