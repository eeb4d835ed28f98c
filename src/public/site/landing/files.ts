import { numberText, sizeText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { WORDS } from "../words.ts";
import type { Landing, ShownFolder } from "./shown.ts";

/** The number of characters of a digest that are shown before a reader opens it. */
const SHOWN = 16;
/** The folders of a long path that are shown: the last ones. */
const SHOWN_ABOVE = 8;

/** The files of one folder with their sizes and digests, and the folders in it. */
export function filesPart(landing: Landing): Html {
  const { described, files, language } = landing;
  const words = WORDS[language].landing;
  const heading = html`<h2 id="files">${words.files}</h2><p class="dim">${countText(described.facts, landing)}</p>`;
  if (files === "closed") return html`<section aria-labelledby="files">${heading}</section>`;
  if (files === "unreadable") {
    return html`<section aria-labelledby="files">${heading}<p class="notice bad">${words.unreadable}</p></section>`;
  }
  const { url } = described.facts;
  const list = (format: string) =>
    `${url}/files${described.query}${described.query === "" ? "?" : "&"}format=${format}`;
  return html`<section aria-labelledby="files">${heading}
${files.path === "" ? NOTHING : pathOf(files, landing)}${tableOf(files, landing)}
<p class="pages no-print">${files.isFirst ? NOTHING : html`<a href="${files.above.at(-1)?.url ?? files.start}">${words.firstFiles}</a>`}
${files.next === undefined ? NOTHING : html`<a href="${files.next}">${words.moreFiles}</a>`}
<a href="${list("csv")}">${words.listOfFiles} (CSV)</a> <a href="${list("json")}">${words.listOfFiles} (JSON)</a></p></section>`;
}

function countText({ objects, bytes }: { objects: number; bytes: number }, { language }: Landing): string {
  return WORDS[language].landing.fileCount(numberText(objects, language), objects === 1, sizeText(bytes, language));
}

/** The way to the folder, and what is in it. */
function pathOf({ above, start, counted }: ShownFolder, landing: Landing): Html {
  const words = WORDS[landing.language].landing;
  const shown = above.slice(-SHOWN_ABOVE);
  const parts = shown.map(({ name, url }, index) =>
    index === shown.length - 1
      ? html`<li aria-current="page">${name}</li>`
      : html`<li><a href="${url}">${name}</a></li>`,
  );
  return html`<nav aria-label="${words.folderPath}"><ol class="path"><li><a href="${start}">${words.allFiles}</a></li>${shown.length < above.length ? html`<li>…</li>` : NOTHING}${parts}</ol></nav>
${counted === undefined ? NOTHING : html`<p class="dim small">${words.inFolder} ${countText({ objects: counted.files, bytes: counted.bytes }, landing)}</p>`}`;
}

function tableOf({ folders, files }: ShownFolder, { language }: Landing): Html {
  const words = WORDS[language].landing;
  if (folders.length + files.length === 0) return NOTHING;
  const folderRows = folders.map(
    ({ name, files: count, bytes, url, zip }) =>
      html`<tr><td class="name"><a href="${url}">${name}/</a> <span class="dim small">${words.fileNumber(numberText(count, language), count === 1)}</span></td><td class="number">${sizeText(bytes, language)}</td><td><a class="no-print" href="${zip}" aria-label="${words.zipFolder}: ${name}">${words.zipFolder}</a></td></tr>\n`,
  );
  const fileRows = files.map(
    ({ name, url, preview, bytes, sha512 }) =>
      html`<tr><td class="name"><a href="${url}">${name}</a>${preview === undefined ? NOTHING : html` <a class="small no-print" href="${preview}" aria-label="${WORDS[language].preview.of(name)}">${WORDS[language].preview.open}</a>`}</td><td class="number">${sizeText(bytes, language)}</td><td><details class="digest"><summary><code>${sha512.slice(0, SHOWN)}…</code></summary><code>${sha512}</code></details></td></tr>\n`,
  );
  return html`<div class="scroll files" tabindex="0" role="group" aria-labelledby="files"><table><thead><tr><th scope="col">${words.entry}</th><th scope="col" class="number">${words.size}</th><th scope="col">${words.digest}</th></tr></thead><tbody>
${folderRows}${fileRows}</tbody></table></div>`;
}
