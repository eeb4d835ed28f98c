import { apa, type CslItem } from "../../../../packages/rules/src/index.ts";
import { bibtex, bibtexCitation } from "../../../describe/formats/bibtex.ts";
import { csl } from "../../../describe/formats/csl.ts";
import { type ExportInput, type Summary, summaryOf } from "../../../describe/formats/export-input.ts";
import { METADATA_FORMATS, type MetadataFormatName } from "../../../describe/formats/formats.ts";
import { doiUrl } from "../../../describe/version-facts.ts";
import { CONCEPT } from "../../../publication/rules/doi.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";
import type { Landing } from "./shown.ts";

/** Formats that reference managers import. */
const REFERENCES = ["bibtex", "ris", "csl"] as const satisfies MetadataFormatName[];

/** The citation in several styles, and for reference managers. */
export function citePart(landing: Landing): Html {
  const { described, language } = landing;
  const { facts, query } = described;
  const words = WORDS[language].landing;
  const links = REFERENCES.map(
    (name) => html`<li><a href="${facts.url}/export/${name}${query}">${METADATA_FORMATS[name].title}</a></li>`,
  );
  return html`<section aria-labelledby="cite">${citations(described, bibtex(described), language)}
<ul class="tags no-print" aria-label="${words.references}">${links}</ul>${allVersions(landing)}</section>`;
}

/** The citation of a withdrawn version, which has no exports. @param described with title and authors, but no other metadata */
export function citeWithdrawn(described: ExportInput, language: Language): Html {
  return html`<section aria-labelledby="cite">${citations(described, bibtexCitation(described), language)}</section>`;
}

function citations(described: ExportInput, bibtexEntry: string, language: Language): Html {
  const words = WORDS[language].landing;
  return html`<h2 id="cite">${words.cite}</h2>
<div class="box"><p id="citation">${citationOf(summaryOf(described), language)}</p>
<button type="button" class="quiet no-print" data-copy="citation" data-copied="${words.copied}" aria-live="polite" hidden>${words.copyCitation}</button></div>
<details class="small no-print"><summary>${words.otherStyles}</summary>
<h3>APA</h3><p>${apaOf(described, language)}</p>
<h3>BibTeX</h3><pre class="scroll" tabindex="0" role="group" aria-label="BibTeX">${bibtexEntry.trim()}</pre>
</details>`;
}

/** The citation of a version, as DataCite recommends it: Creator (Year). Title (Version) [Type]. Publisher. Identifier. */
function citationOf({ creators, year, title, version, publisher, url }: Summary, language: Language): Html {
  const names = creators.map(({ name }) => name).join("; ");
  const address = isWebAddress(url) ? html`<a href="${url}">${url}</a>` : html`${url}`;
  return html`${names} (${year}). <cite>${title}</cite> (Version ${version}) [${WORDS[language].landing.dataSet}]. ${publisher.name}. ${address}`;
}

function apaOf(described: ExportInput, language: Language): Html {
  const kind = WORDS[language].landing.dataSet;
  const { before, title, after } = apa(csl(described) as CslItem, { published: kind, unpublished: kind });
  return html`${before}<cite>${title}</cite>${after}`;
}

/** The DOI of all versions, for readers who do not cite this one alone; nothing without it. */
function allVersions({ described, language }: Landing): Html {
  const doi = described.facts.dois?.get(CONCEPT);
  if (doi === undefined) return NOTHING;
  const words = WORDS[language].landing;
  const url = doiUrl(doi);
  return html`<p class="small">${words.allVersions} <a href="${url}">${url}</a><br>${words.allVersionsMeans}</p>`;
}
