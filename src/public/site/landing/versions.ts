import { dayText, numberText, sizeText } from "../format.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import { keepLanguage } from "../layout.ts";
import type { Site } from "../site.ts";
import { WORDS } from "../words.ts";
import type { Landing } from "./shown.ts";

/** The published versions, and when the metadata of this one were changed. */
export function versionsPart({ lang }: Site, { described, versions, revisedAt, language }: Landing): Html {
  const words = WORDS[language].landing;
  const { facts } = described;
  const note =
    revisedAt === undefined
      ? NOTHING
      : html`<p class="small">${words.metadataChanged(dayText(revisedAt.toISOString(), language))}</p>`;
  const rows = versions.map(({ number, publishedAt, objects, bytes, identifier }) => {
    const isShown = number === facts.version;
    const name = isShown
      ? html`${number} <span class="dim">(${words.shown})</span>`
      : html`<a href="${keepLanguage(`${facts.url}?version=${number}`, lang)}">${number}</a>`;
    const address = isWebAddress(identifier ?? undefined)
      ? html`<a href="${identifier ?? ""}">${identifier ?? ""}</a>`
      : html`${identifier ?? ""}`;
    return html`<tr><td>${name}</td><td>${dayText(publishedAt.toISOString(), language)}</td><td class="number">${numberText(objects, language)} (${sizeText(bytes, language)})</td><td class="name">${address}</td></tr>\n`;
  });
  return html`<section aria-labelledby="versions"><h2 id="versions">${words.versions}</h2>
<div class="scroll versions" tabindex="0" role="group" aria-labelledby="versions"><table><thead><tr><th scope="col">${words.versionColumn}</th><th scope="col">${words.publishedColumn}</th><th scope="col" class="number">${words.filesColumn}</th><th scope="col">${words.identifierColumn}</th></tr></thead><tbody>
${rows}</tbody></table></div>${note}</section>`;
}
