import { visible } from "../../../../packages/rules/src/index.ts";
import type { ExportInput } from "../../../describe/formats/export-input.ts";
import { numberText, sizeText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";
import type { FileSearch, ShownFile, ShownFiles, ShownFolder } from "./shown.ts";

/** The number of characters of a digest that are shown before a reader opens it. */
const SHOWN = 16;
/** The folders of a long path that are shown: the last ones. */
const SHOWN_ABOVE = 8;
/** A list with more entries, each with several links, can be skipped by keyboard. */
const SKIPPED_FROM = 10;
const DATA = "data/";

/** What only readers in the application see of the files. */
export interface ApplicationFiles {
  /** The files that the archive has added, with complete paths; on the first page. */
  added: readonly ShownFile[];
  /** Whether they are unfolded. */
  showsAdded: boolean;
  /** Whether the reader sees where the data came from. */
  seesSource: boolean;
}

/** The files of a version on a page of the public, or in the application. */
export interface FilesView {
  described: Pick<ExportInput, "facts" | "query">;
  files: ShownFiles;
  language: Language;
  /** Only in the application, where names open the page of the file, and comments are shown. */
  application?: ApplicationFiles | undefined;
}

/** The files of one folder, or those that were searched for, with their sizes and digests, and the folders. */
export function filesPart(view: FilesView): Html {
  const { described, files, language } = view;
  const words = WORDS[language].landing;
  const { objects, bytes } = described.facts;
  const heading = html`<h2 id="files">${words.files}</h2><p class="dim">${words.fileCount(numberText(objects, language), objects === 1, sizeText(bytes, language))}</p>`;
  return html`<section aria-labelledby="files">${heading}${contentOf(files, view)}</section>`;
}

function contentOf(files: ShownFiles, view: FilesView): Html {
  const words = WORDS[view.language].landing;
  if (files === "closed") return NOTHING;
  if (files === "unreadable") return html`<p class="notice bad">${words.unreadable}</p>`;
  if ("missing" in files) {
    return html`<p class="notice" role="alert">${words.noFolder(visible(files.missing))} <a href="${files.start}">${words.allFiles}</a></p>`;
  }
  return html`
${files.search === undefined ? NOTHING : searchOf(files.search, files, view)}${files.path === "" ? NOTHING : pathOf(files, view)}${discussionOf(files, view)}${renamedIn(files, view)}${tableOf(files, view)}
${pagesOf(files, view)}${addedTo(view)}`;
}

/** The form, and how many files were found. */
function searchOf(
  { action, keeps, find, isBeginning }: FileSearch,
  folder: ShownFolder,
  { language }: FilesView,
): Html {
  const words = WORDS[language].landing;
  const label = isBeginning ? words.findBeginning : words.find;
  return html`<form class="find no-print" action="${action}" role="search" aria-label="${label}">${keeps.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<input type="search" name="find" value="${find}" aria-label="${label}" placeholder="${label}" maxlength="1000"><button class="quiet">${WORDS[language].search}</button></form>
${find === "" ? NOTHING : html`<p>${foundText(folder, language)} <a href="${folder.start}">${words.allFiles}</a></p>`}`;
}

function foundText({ files, isFirst, next }: ShownFolder, language: Language): string {
  const words = WORDS[language].landing;
  if (!isFirst) return words.foundFurther(numberText(files.length, language), files.length);
  return next === undefined ? words.found(numberText(files.length, language), files.length) : words.foundMany;
}

/** A sentence about a list, which screen readers say when the list has changed. */
export function statusOf(files: ShownFiles, language: Language): string {
  const words = WORDS[language].landing;
  if (files === "closed") return "";
  if (files === "unreadable") return words.unreadable;
  if ("missing" in files) return words.noFolder(visible(files.missing));
  if (files.search !== undefined && files.search.find !== "") return foundText(files, language);
  const name = visible(files.above.at(-1)?.name ?? words.allFiles);
  return `${name}: ${words.entries(numberText(files.folders.length + files.files.length, language))}`;
}

/** The way to the folder, and what is in it. */
function pathOf(folder: ShownFolder, view: FilesView): Html {
  const { above, start, counted, path, zip } = folder;
  const { language } = view;
  const words = WORDS[language].landing;
  const shown = above.slice(-SHOWN_ABOVE);
  const parts = shown.map(({ name, url }, index) =>
    index === shown.length - 1
      ? html`<li aria-current="page">${visible(name)}</li>`
      : html`<li><a href="${url}">${visible(name)}</a></li>`,
  );
  const inside = counted && `${words.inFolder} ${countText(counted, language)}`;
  return html`<nav aria-label="${words.folderPath}"><ol class="path"><li><a href="${start}">${words.allFiles}</a></li>${shown.length < above.length ? html`<li>…</li>` : NOTHING}${parts}</ol></nav>
<p class="dim small">${inside} <a class="no-print" href="${zip}"${downloads(DATA + path, view)}>${words.zipFolder}</a></p>`;
}

/** The place for the comments about a folder. */
function discussionOf({ path, search }: ShownFolder, { application }: FilesView): Html {
  if (application === undefined || (search?.find ?? "") !== "") return NOTHING;
  return html`<div data-folder="${marked((DATA + path).slice(0, -1))}"></div>`;
}

function countText({ files, bytes }: { files: number; bytes: number }, language: Language): string {
  return WORDS[language].landing.fileCount(numberText(files, language), files === 1, sizeText(bytes, language));
}

/** Explains the folder with the objects whose keys are not valid paths. */
function renamedIn({ renamed }: ShownFolder, { language, application }: FilesView): Html {
  if (renamed === undefined) return NOTHING;
  const words = WORDS[language].landing;
  return html`<p class="small">${words.renamed(renamed)}${application?.seesSource ? ` ${words.renamedManifest}` : ""}</p>`;
}

function tableOf({ folders, files }: ShownFolder, view: FilesView): Html {
  const { language } = view;
  const words = WORDS[language].landing;
  if (folders.length + files.length === 0) return NOTHING;
  const folderRows = folders.map(
    ({ name, path, files: count, bytes, url, zip }) =>
      html`<tr><td class="name"><a href="${url}">${visible(name)}/</a> <span class="dim small">${words.fileNumber(numberText(count, language), count === 1)}</span>${commentsAt(DATA + path.slice(0, -1), view)}</td><td class="number">${sizeText(bytes, language)}</td><td><a class="no-print" href="${zip}" aria-label="${words.zipFolder}: ${visible(name)}"${downloads(DATA + path, view)}>${words.zipFolder}</a></td></tr>\n`,
  );
  const skip =
    folders.length + files.length < SKIPPED_FROM
      ? NOTHING
      : html`<a class="skip" href="#after-files">${words.skipFiles}</a>`;
  return html`${skip}<div class="scroll files" tabindex="0" role="group" aria-labelledby="files"><table><thead><tr><th scope="col">${words.entry}</th><th scope="col" class="number">${words.size}</th><th scope="col">${words.digest}</th></tr></thead><tbody>
${folderRows}${files.map((file) => rowOf(file, DATA + file.path, view))}</tbody></table></div>`;
}

/** In the application, the name opens the page of the file. On the landing page it leads to its bytes, as most readers expect. */
function rowOf({ bytes, sha512, url, page, ...file }: ShownFile, path: string, view: FilesView): Html {
  const name = visible(file.name);
  const { language, application } = view;
  const words = WORDS[language];
  const links =
    application === undefined
      ? html`<a href="${url}">${name}</a>${page === undefined ? NOTHING : html` <a class="small no-print" href="${page}" aria-label="${words.preview.of(name)}">${words.preview.open}</a>`}`
      : html`<a href="${page}" data-file="${marked(path)}">${name}</a> <a class="small no-print" href="${url}" aria-label="${words.preview.download}: ${name}"${downloads(path, view)}>${words.preview.download}</a>${commentsAt(path, view)}`;
  return html`<tr><td class="name">${links}</td><td class="number">${sizeText(bytes, language)}</td><td><details class="digest"><summary><code>${sha512.slice(0, SHOWN)}…</code></summary><code>${sha512}</code></details></td></tr>\n`;
}

function pagesOf(
  { isFirst, next, above, start, list, search }: ShownFolder,
  { language, application }: FilesView,
): Html {
  const words = WORDS[language].landing;
  return html`<p class="pages no-print" id="after-files" tabindex="-1">${isFirst ? NOTHING : html`<a href="${search?.first ?? above.at(-1)?.url ?? start}">${words.firstFiles}</a>`}
${next === undefined ? NOTHING : html`<a href="${next}">${words.moreFiles}</a>`}
<a href="${list}"${application === undefined ? NOTHING : html` data-list="csv"`}>${words.listOfFiles} (CSV)</a></p>`;
}

/** The files that the archive has added to those of the source. */
function addedTo(view: FilesView): Html {
  const { application, language } = view;
  if (application === undefined || application.added.length === 0) return NOTHING;
  const words = WORDS[language].landing;
  return html`<details class="more"${application.showsAdded ? html` open` : NOTHING}><summary>${words.addedFiles}</summary><div data-folder="metadata"></div>
<div class="scroll files" tabindex="0" role="group" aria-label="${words.addedFiles}"><table><tbody>
${application.added.map((file) => rowOf(file, file.path, view))}</tbody></table></div></details>`;
}

/** Marks a link to bytes, which the application requests with the token of the reader. */
function downloads(path: string, { application }: FilesView): Html {
  return application === undefined ? NOTHING : html` data-download="${marked(path)}"`;
}

/** The place for the number of open comments about a file, or a folder and what is in it. */
function commentsAt(path: string, { application }: FilesView): Html {
  return application === undefined ? NOTHING : html` <span data-count="${marked(path)}"></span>`;
}

/** A path in an attribute, in which characters would be left out otherwise. */
function marked(path: string): string {
  return encodeURIComponent(path);
}
