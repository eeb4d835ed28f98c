import { type Html, html } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";

/** A button that copies the text of an element, shown by a script where the browser has a clipboard. @param id of the element */
export function copyButton(id: string, label: string, language: Language): Html {
  const { copied } = WORDS[language].landing;
  return html`<button type="button" class="quiet no-print" data-copy="${id}" data-copied="${copied}" aria-live="polite" hidden>${label}</button>`;
}
