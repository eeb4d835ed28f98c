import { contrast, type Rgb, rgbOf } from "../../domain/colour.ts";
import { LANGUAGES, type Language, type LocalAddress } from "../../domain/language.ts";
import { SettingError } from "./parse.ts";
import { type LanguageText, languageTexts, readBytes } from "./text-files.ts";

const MOST_LOGO_BYTES = 200_000;
const LONGEST_NAME = 100;
/** Contrast of texts (WCAG 2.2, success criterion 1.4.3). */
const LEAST_CONTRAST = 4.5;
const PAGE: Rgb = [251, 250, 247];

/** The name of the repository. */
export function parseName(text: string): string {
  if (text.length > LONGEST_NAME || /\p{Cc}/u.test(text)) {
    throw new SettingError(`is not a name of at most ${LONGEST_NAME} characters`);
  }
  return text;
}

/** The bytes of an SVG or PNG file. */
export function readLogo(file: string): { bytes: Buffer; mediaType: string } {
  const bytes = readBytes(file, MOST_LOGO_BYTES);
  if (bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))) return { bytes, mediaType: "image/png" };
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(bytes.toString("utf8"))) {
    return { bytes, mediaType: "image/svg+xml" };
  }
  throw new SettingError(`names the file “${file}”, which is neither SVG nor PNG`);
}

/** A colour of a background. Its texts are white or black, whichever has more contrast, so that every colour is possible. */
export function parseBackground(text: string): Rgb {
  const colour = rgbOf(text);
  if (colour === undefined) throw new SettingError("is not a colour such as #1d6653");
  return colour;
}

/** A colour of links and buttons. White text on it, and it on the page, must have enough contrast. */
export function parseColour(text: string): Rgb {
  const colour = parseBackground(text);
  const least = Math.min(contrast(colour, [255, 255, 255]), contrast(colour, PAGE));
  if (least < LEAST_CONTRAST) {
    throw new SettingError(
      `has a contrast of ${least.toFixed(1)} to 1 on the page; at least ${LEAST_CONTRAST} is needed, so choose a darker colour`,
    );
  }
  return colour;
}

/** The address of a web page. @throws SettingError */
export function parsePage(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new SettingError("is not the address of a web page such as https://archive.example.org");
  }
  return url.href;
}

/** The address of a web page, or of a mailbox (`mailto:help@example.org`). @throws SettingError */
export function parsePageOrMailbox(text: string): string {
  const mailbox = /^mailto:(.*)$/i.exec(text)?.[1];
  return mailbox === undefined ? parsePage(text) : `mailto:${parseContact(mailbox)}`;
}

/**
 * Reads one address for all languages, or several for some of them, as in `https://example.org/imprint,de=https://example.org/impressum`.
 * The one without a language, or else the first, is for all other languages.
 *
 * @param parse reads an address
 */
export function addressesByLanguage(parse: (text: string) => string): (text: string) => LocalAddress {
  return (text) => {
    const found = new Map<string, string>();
    // Addresses can contain commas, too.
    for (const part of text.split(/\s*,\s*(?=[a-z-]+=(?:[a-z]+:|$))/i)) {
      const [, language = "", address = ""] = /^(?:([a-z-]+)=)?(.*)$/is.exec(part.trim()) ?? [];
      if (language !== "" && !isLanguage(language)) {
        throw new SettingError(`names the language “${language}”; the public pages have ${LANGUAGES.join(" and ")}`);
      }
      if (found.has(language)) throw new SettingError(`names two addresses for the language “${language}”`);
      found.set(language, parse(address));
    }
    const [first = ""] = found.values();
    const others = found.get("") ?? first;
    const entries = LANGUAGES.map((language) => [language, found.get(language) ?? others]);
    return Object.fromEntries(entries) as LocalAddress;
  };
}

function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text);
}

/** A public mail address. */
export function parseContact(text: string): string {
  if (!/^[A-Za-z0-9.!#$&'*+/=_~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(text)) {
    throw new SettingError("is not a mail address such as help@example.org");
  }
  return text;
}

/** With or without `https://ror.org/`. */
export function parseRor(text: string): string {
  const id = /^(?:https:\/\/ror\.org\/)?(0[0-9a-hjkmnp-tv-z]{6}\d{2})$/.exec(text.toLowerCase())?.[1];
  if (id === undefined) throw new SettingError("is not a ROR id such as https://ror.org/02skbsp27");
  return `https://ror.org/${id}`;
}

/** Reads texts about the repository. A text in a language that the pages do not have would never be shown in it. */
export function readAbout(list: string): LanguageText[] {
  const texts = languageTexts("about")(list);
  const other = texts.find(({ language }) => !isLanguage(language.split("-", 1)[0] ?? ""));
  if (other !== undefined) {
    throw new SettingError(
      `names a file in the language “${other.language}”; the public pages have ${LANGUAGES.join(" and ")}`,
    );
  }
  return texts;
}
