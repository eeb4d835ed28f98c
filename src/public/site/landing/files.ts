import { numberText, sizeText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { WORDS } from "../words.ts";
import type { Landing } from "./shown.ts";

/** The number of characters of a digest that are shown before a reader opens it. */
const SHOWN = 16;

/** Files with their sizes and digests. */
export function filesPart({ described, files, language }: Landing): Html {
  const words = WORDS[language].landing;
  const { objects, bytes, url } = described.facts;
  const size = words.fileCount(numberText(objects, language), objects === 1, sizeText(bytes, language));
  const heading = html`<h2 id="files">${words.files}</h2><p class="dim">${size}</p>`;
  if (files === "closed") return html`<section aria-labelledby="files">${heading}</section>`;
  if (files === "unreadable") {
    return html`<section aria-labelledby="files">${heading}<p class="notice bad">${words.unreadable}</p></section>`;
  }
  const rows = files.files.map(
    (file) =>
      html`<tr><td class="name"><a href="${file.url}">${file.path}</a></td><td class="number">${sizeText(file.bytes, language)}</td><td><details class="digest"><summary><code>${file.sha512.slice(0, SHOWN)}…</code></summary><code>${file.sha512}</code></details></td></tr>\n`,
  );
  return html`<section aria-labelledby="files">${heading}
<div class="scroll files" tabindex="0" role="group" aria-labelledby="files"><table><thead><tr><th scope="col">${words.file}</th><th scope="col" class="number">${words.size}</th><th scope="col">${words.digest}</th></tr></thead><tbody>
${rows}</tbody></table></div>
<p class="pages no-print">${files.isFirst ? NOTHING : html`<a href="${url}${described.query}#files">${words.firstFiles}</a>`}
${files.next === undefined ? NOTHING : html`<a href="${files.next}#files">${words.moreFiles}</a>`}
<a href="${url}/files${described.query}">${words.listOfFiles} (JSON)</a></p></section>`;
}
