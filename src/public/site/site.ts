import type { Language } from "../../domain/language.ts";

export { LANGUAGES, type Language } from "../../domain/language.ts";

/** What is the same on all public pages that answer a request. */
export interface Site {
  /** The language that the request has named, which links to other pages keep; undefined if the browser decides. */
  lang: Language | undefined;
  /** Name of the repository. */
  name: string;
  /** Prefix of every path; empty for none. */
  basePath: string;
  /** The public address with the base path. */
  url: string;
  /** Path of the logo below the base path; undefined for none. */
  logo: string | undefined;
  /** Name of the file with the operator’s colours below `/site/`; undefined for none. */
  colours: string | undefined;
  /** Links of the footer by language. */
  links: Record<Language, readonly { text: string; url: string }[]>;
  /** Whether there is a page about the repository. */
  hasAbout: boolean;
}
