import { contrast, type Rgb, rgbOf } from "../../domain/colour.ts";
import { SettingError } from "./parse.ts";
import { parsePage } from "./publisher.ts";
import type { Read } from "./settings.ts";
import { type LanguageText, parseLanguageTexts, readBytes } from "./text-files.ts";

/** How the operator wants the public pages to look. */
export interface SiteSettings {
  /** Name of the repository; undefined for that of the publisher. */
  name: string | undefined;
  logo: { bytes: Buffer; mediaType: string } | undefined;
  /** Of links and buttons. White text on it, and it on the page, have enough contrast. */
  colour: Rgb | undefined;
  imprint: string | undefined;
  privacy: string | undefined;
  /** Texts about the repository, in Markdown. */
  about: readonly LanguageText[];
}

const MOST_LOGO_BYTES = 200_000;
const LONGEST_NAME = 100;
/** Contrast of texts (WCAG 2.2, success criterion 1.4.3). */
const LEAST_CONTRAST = 4.5;
const PAGE: Rgb = [251, 250, 247];

export function siteOf(read: Read): SiteSettings {
  return {
    name: read<string | undefined>("SITE_NAME", undefined, parseName),
    logo: read<SiteSettings["logo"]>("SITE_LOGO", undefined, parseLogo),
    colour: read<Rgb | undefined>("SITE_COLOUR", undefined, parseColour),
    imprint: read<string | undefined>("SITE_IMPRINT_URL", undefined, parsePage),
    privacy: read<string | undefined>("SITE_PRIVACY_URL", undefined, parsePage),
    about: read<readonly LanguageText[]>("SITE_ABOUT", [], (list) => parseLanguageTexts(list, "about")),
  };
}

function parseName(text: string): string {
  if (text.length > LONGEST_NAME || /\p{Cc}/u.test(text)) {
    throw new SettingError(`is not a name of at most ${LONGEST_NAME} characters`);
  }
  return text;
}

function parseLogo(file: string): { bytes: Buffer; mediaType: string } {
  const bytes = readBytes(file, MOST_LOGO_BYTES);
  if (bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))) return { bytes, mediaType: "image/png" };
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(bytes.toString("utf8"))) {
    return { bytes, mediaType: "image/svg+xml" };
  }
  throw new SettingError(`names the file “${file}”, which is neither SVG nor PNG`);
}

function parseColour(text: string): Rgb {
  const colour = rgbOf(text);
  if (colour === undefined) throw new SettingError("is not a colour such as #1d6653");
  const least = Math.min(contrast(colour, [255, 255, 255]), contrast(colour, PAGE));
  if (least < LEAST_CONTRAST) {
    throw new SettingError(
      `has a contrast of ${least.toFixed(1)} to 1 on the page; at least ${LEAST_CONTRAST} is needed, so choose a darker colour`,
    );
  }
  return colour;
}
