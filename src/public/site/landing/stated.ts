import type { NormalizedMetadata } from "../../../describe/metadata/normalized.ts";
import { type Html, html, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";

/** The content of every page of a version: its landing page, the page in the application and that of reviewers. */
export interface Stated {
  language: Language;
  /** The metadata that the reader may know. An anonymous view has no authors. */
  metadata: NormalizedMetadata;
  /** Whether the reader sees all metadata. Otherwise the page does not say that something is not stated. */
  isWhole: boolean;
  /** The address of a search in the catalogue; undefined if keywords lead nowhere. @param query of the address */
  catalogue: ((query: URLSearchParams) => string) | undefined;
  /**
   * Whether the page marks the places at which the application shows the comments about a member of the metadata. Members without a
   * value have none.
   */
  hasPlaces: boolean;
  /** Whether the reader is an admin, who can act on faults of the archive. */
  seesFaults?: boolean;
}

/** The place for comments about a member of the metadata. */
export function placeFor(member: string, { hasPlaces }: Pick<Stated, "hasPlaces">): Html {
  return hasPlaces ? html`<div data-member="${member}"></div>` : NOTHING;
}

/** The attribute for a text in another language than the page’s. */
export function langOf(code: string | undefined): Html {
  return code === undefined ? NOTHING : html` lang="${code}"`;
}
