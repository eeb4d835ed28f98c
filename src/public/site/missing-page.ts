import { visible } from "../../../packages/rules/src/index.ts";
import { html } from "./html.ts";
import { keepLanguage, noticePage } from "./layout.ts";
import type { Language, Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** Characters of a path that no dataset has. */
const LONGEST = 500;

/** The page of a file or folder that a dataset does not have. @param missing.address the page of the version */
export function missingPage(
  site: Site,
  { kind, name, address, path }: { kind: "file" | "folder"; name: string; address: string; path: string },
  language: Language,
): string {
  const { landing, preview } = WORDS[language];
  const title = kind === "file" ? preview.missing : landing.missingFolder;
  const text = kind === "file" ? preview.noFile : landing.noFolder;
  const content = html`<p class="notice">${text(visible(name.slice(0, LONGEST)))}</p>
<p><a href="${keepLanguage(`${address}#files`, site.lang)}">${landing.toFiles}</a></p>`;
  return noticePage(site, { title, path, content }, language);
}
