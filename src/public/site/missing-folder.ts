import { html } from "./html.ts";
import { document } from "./layout.ts";
import type { Language, Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** Characters of a path that no dataset has. */
const LONGEST = 500;

/** The page of a folder that a dataset does not have. @param address the page of the version */
export function missingFolderPage(
  site: Site,
  { folder, address, path }: { folder: string; address: string; path: string },
  language: Language,
): string {
  const words = WORDS[language].landing;
  return document(site, {
    title: words.missingFolder,
    language,
    path,
    q: "",
    isIndexed: false,
    content: html`<article><h1>${words.missingFolder}</h1>
<p class="notice">${words.noFolder(folder.slice(0, LONGEST))}</p>
<p><a href="${address}#files">${words.toFiles}</a></p></article>`,
  });
}
