import type { Summary } from "../../../describe/formats/described.ts";
import { type Html, html, isWebAddress } from "../html.ts";

/** The citation of a version, as DataCite recommends it: Creator (Year). Title (Version) [Type]. Publisher. Identifier. */
export function citationOf({ creators, year, title, version, publisher, url }: Summary): Html {
  const names = creators.map(({ name }) => name).join("; ");
  const address = isWebAddress(url) ? html`<a href="${url}">${url}</a>` : html`${url}`;
  return html`${names} (${year}). <cite>${title}</cite> (Version ${version}) [Data set]. ${publisher.name}. ${address}`;
}
