import { apa, type CslItem } from "../../../../packages/rules/src/index.ts";
import { bibtex, bibtexCitation } from "../../../describe/formats/bibtex.ts";
import { csl } from "../../../describe/formats/csl.ts";
import { citedOf, type ExportInput, summaryOf } from "../../../describe/formats/export-input.ts";
import { METADATA_FORMATS, type MetadataFormatName } from "../../../describe/formats/formats.ts";
import { ris } from "../../../describe/formats/ris.ts";
import { doiUrl } from "../../../describe/version-facts.ts";
import { CONCEPT } from "../../../publication/rules/doi.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";
import { copyButton } from "./copy-button.ts";

/** Formats that reference managers import. */
const REFERENCES = ["bibtex", "ris", "csl"] as const satisfies MetadataFormatName[];

/** The citation in several styles, and for reference managers. @param advice what the reader must know before using it */
export function citePart(described: ExportInput, language: Language, advice: Html = NOTHING): Html {
  const { facts, query } = described;
  const words = WORDS[language].landing;
  const links = REFERENCES.map(
    (name) =>
      html`<li><a data-export="${name}" href="${facts.url}/export/${name}${query}">${METADATA_FORMATS[name].title}</a></li>`,
  );
  return html`<section aria-labelledby="cite">${citations(
    described,
    [
      ["BibTeX", "bibtex", bibtex(described)],
      ["RIS", "ris", ris(described)],
    ],
    language,
    advice,
  )}
<ul class="tags no-print" aria-label="${words.references}">${links}</ul>${allVersions(described, language)}</section>`;
}

/** The citation of a withdrawn version, which has no exports. @param described with title, authors and version label, but no other metadata */
export function citeWithdrawn(described: ExportInput, language: Language): Html {
  return html`<section aria-labelledby="cite">${citations(described, [["BibTeX", "bibtex", bibtexCitation(described)]], language)}</section>`;
}

/** An entry for a reference manager: its format, the id of its element, and its text. */
type Entry = [format: string, id: string, text: string];

function citations(described: ExportInput, entries: Entry[], language: Language, advice: Html = NOTHING): Html {
  const words = WORDS[language].landing;
  return html`<h2 id="cite">${words.cite}</h2>
<div class="box">${advice}<p id="citation">${citationOf(described, language)}</p>
${copyButton("citation", words.copyCitation, language)}</div>
<details class="small no-print"><summary>${words.otherStyles}</summary>
<h3>APA</h3><p>${apaOf(described, language)}</p>
${entries.map(
  ([
    format,
    id,
    text,
  ]) => html`<h3>${format}</h3><pre id="${id}" class="scroll" tabindex="0" role="group" aria-label="${format}">${text.trim()}</pre>
${copyButton(id, words.copyEntry(format), language)}
`,
)}</details>`;
}

/**
 * The citation of a version, as DataCite recommends it: Creator (Year). Title (Version) [Type]. Publisher. Identifier. Before publication
 * it has a reserved DOI and no address, because strangers cannot open it.
 */
function citationOf(described: ExportInput, language: Language): Html {
  const { creators, year, title, version, publisher } = summaryOf(described);
  const { doi, url } = citedOf(described);
  const names = creators.map(({ name }) => name).join("; ");
  const address = url ?? (doi === undefined ? "" : doiUrl(doi));
  const shown = isWebAddress(address) ? html`<a href="${address}">${address}</a>` : html`${address}`;
  return html`${names} (${year}). <cite>${title}</cite> (Version ${version}) [${kindOf(described, language)}]. ${publisher.name}. ${shown}`;
}

function kindOf({ unpublished }: ExportInput, language: Language): string {
  const { dataSet, unpublishedDataSet } = WORDS[language].landing;
  return unpublished === undefined ? dataSet : unpublishedDataSet;
}

function apaOf(described: ExportInput, language: Language): Html {
  const kind = kindOf(described, language);
  const { before, title, after } = apa(csl(described) as CslItem, { published: kind, unpublished: kind });
  return html`${before}<cite>${title}</cite>${after}`;
}

/** The DOI of all versions, for readers who do not cite this one alone; nothing without it. */
function allVersions(described: ExportInput, language: Language): Html {
  const doi = described.facts.dois?.get(CONCEPT);
  if (doi === undefined) return NOTHING;
  const words = WORDS[language].landing;
  const url = doiUrl(doi);
  return html`<p class="small">${words.allVersions} <a href="${url}">${url}</a><br>${words.allVersionsMeans}</p>`;
}
