import { visible } from "../../../../packages/rules/src/index.ts";
import { sizeText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { document } from "../layout.ts";
import type { Language, Site } from "../site.ts";
import { WORDS } from "../words.ts";
import type { Preview } from "./content.ts";

/** A file, and what its page shows of it. */
export interface ShownPreview {
  /** Path below the folder of all files. */
  path: string;
  bytes: number;
  sha512: string;
  mediaType: string;
  preview: Preview;
  /** A text in Markdown as HTML; undefined for all other files. */
  rendered: Html | undefined;
  title: string;
  addresses: {
    /** The page of the dataset. */
    dataset: string;
    /** The page of the folder that contains the file. */
    folder: string;
    /** The bytes as a download. */
    download: string;
    /** The bytes for a browser that shows them; used only for images and PDF. */
    inline: string;
    /** This page, below the base path. */
    own: string;
  };
}

/** Larger images are only for downloads. */
const LARGEST_IMAGE = 20 * 1024 * 1024;

/** The page of a file, with what can be shown of it. */
export function previewPage(site: Site, shown: ShownPreview, language: Language): string {
  const words = WORDS[language].preview;
  const { path, bytes, sha512, mediaType, title, addresses } = shown;
  const name = visible(path.slice(path.lastIndexOf("/") + 1));
  const folder = visible(path.slice(0, path.lastIndexOf("/") + 1));
  return document(site, {
    title: name,
    language,
    path: addresses.own,
    q: "",
    isIndexed: false,
    content: html`<article><nav aria-label="${WORDS[language].landing.folderPath}"><ol class="path"><li><a href="${addresses.dataset}">${title}</a></li>${folder === "" ? NOTHING : html`<li><a href="${addresses.folder}">${folder.slice(0, -1)}</a></li>`}<li aria-current="page">${name}</li></ol></nav>
<h1 class="name">${name}</h1>
<p class="dim small">${sizeText(bytes, language)} · ${mediaType}</p>
<p class="pages no-print"><a class="button" href="${addresses.download}">${words.download}</a>${shown.preview.kind === "pdf" ? html` <a href="${addresses.inline}">${words.openPdf}</a>` : NOTHING}</p>
${contentOf(shown, name, language)}
<details class="digest small"><summary>SHA-512</summary><code>${sha512}</code></details></article>`,
  });
}

function contentOf({ preview, rendered, bytes, addresses }: ShownPreview, name: string, language: Language): Html {
  const words = WORDS[language].preview;
  if (preview.kind === "none") return html`<p class="notice">${words[preview.because]}</p>`;
  if (preview.kind === "pdf") return html`<p>${words.pdf}</p>`;
  if (preview.kind === "image") {
    if (bytes > LARGEST_IMAGE) return html`<p class="notice">${words.large}</p>`;
    return html`<p><img class="preview" src="${addresses.inline}" alt="${words.imageOf(name)}"></p>`;
  }
  const { encoding, isCut } = preview;
  const notes = html`${isCut ? html`<p class="notice">${preview.kind === "table" ? words.cutTable : words.cut}</p>` : NOTHING}${encoding === "utf-8" ? NOTHING : html`<p class="dim small">${words.encoding(encoding)}</p>`}`;
  if (preview.kind === "table") return html`${notes}${tableOf(preview.rows, name, language)}`;
  if (rendered !== undefined) return html`${notes}<div class="readme box">${rendered}</div>`;
  return html`${notes}<pre class="text box" tabindex="0" role="group" aria-label="${words.contentOf(name)}">${preview.text}</pre>`;
}

function tableOf([head = [], ...body]: readonly string[][], name: string, language: Language): Html {
  const rows = body.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${WORDS[language].preview.contentOf(name)}"><table class="cells"><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></div>`;
}
