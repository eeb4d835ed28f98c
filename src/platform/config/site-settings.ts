import { optional, setting } from "./setting.ts";
import {
  addressesByLanguage,
  parseBackground,
  parseColour,
  parseName,
  parsePage,
  parsePageOrMailbox,
  readAbout,
  readLogo,
} from "./site.ts";

/** Settings of the public pages. */
export const siteSettings = {
  SITE_NAME: optional(parseName, "`ACCESSION_PUBLISHER`", "Name of the repository on its public pages."),
  SITE_LOGO: optional(readLogo, "none", "SVG or PNG file with the logo of the public pages."),
  SITE_COLOUR: optional(
    parseColour,
    "dark green",
    "Colour of links and buttons on the public pages, such as `#1d6653`.",
  ),
  SITE_HEADER_COLOUR: optional(
    parseBackground,
    "none",
    "Background of the header of the public pages. Its texts are white or black, whichever has more contrast.",
  ),
  SITE_IMPRINT_URL: optional(
    addressesByLanguage(parsePage),
    "none",
    "Imprint, to which all pages link, in one or more languages: `https://example.org/imprint,de=https://example.org/impressum`.",
  ),
  SITE_PRIVACY_URL: optional(
    addressesByLanguage(parsePage),
    "none",
    "Privacy notice, to which all pages link, in one or more languages.",
  ),
  SITE_CONTACT_URL: optional(
    addressesByLanguage(parsePageOrMailbox),
    "`mailto:` with `ACCESSION_PUBLISHER_EMAIL`",
    "Contact, to which all pages link, in one or more languages: a web page, or `mailto:` with a mail address.",
  ),
  SITE_ABOUT: setting(
    readAbout,
    "",
    "Markdown files (separated by commas) about the repository, such as `about.en.md`, shown at `/about`.",
    { shown: "none" },
  ),
};
