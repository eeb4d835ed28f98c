import { visible } from "../../../../packages/rules/src/index.ts";
import { type Html, html, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";

/** The file that describes a folder. */
export interface Readme {
  name: string;
  content: Html;
  /** Whether it is longer than what is shown. */
  isCut: boolean;
}

/** The text that describes the folder that is shown; nothing without one. */
export function readmePart(readme: Readme | undefined, language: Language): Html {
  if (readme === undefined) return NOTHING;
  const words = WORDS[language].preview;
  return html`<section class="readme" aria-labelledby="readme"><h2 id="readme">${visible(readme.name)}</h2>
${readme.isCut ? html`<p class="notice">${words.cut}</p>` : NOTHING}
<div class="box">${readme.content}</div></section>`;
}
