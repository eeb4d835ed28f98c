import { createHash } from "node:crypto";
import { contrast, hexOf, lightened, type Rgb } from "../../domain/colour.ts";
import type { LocalAddress } from "../../domain/language.ts";
import { LANGUAGES, type Language, type Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** The settings of the public pages. */
interface BrandSettings {
  name: string | undefined;
  logo: { bytes: Buffer; mediaType: string } | undefined;
  colour: Rgb | undefined;
  headerColour: Rgb | undefined;
  imprint: LocalAddress | undefined;
  privacy: LocalAddress | undefined;
  contact: LocalAddress | undefined;
  about: readonly { language: string; text: string }[];
}

/** How the operator wants the public pages to look. */
export interface Branding {
  name: string | undefined;
  logo: SiteFile | undefined;
  /** A style sheet with the operator’s colours. */
  colours: SiteFile | undefined;
  links: Site["links"];
  about: BrandSettings["about"];
}

/** A file below `/site/` that never changes, because its name contains its digest. */
export interface SiteFile {
  name: string;
  mediaType: string;
  bytes: Buffer;
}

const DARK_PAGE: Rgb = [22, 27, 25];
const LEAST_CONTRAST = 4.5;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const EXTENSIONS: Record<string, string> = { "image/png": "png", "image/svg+xml": "svg", "text/css": "css" };

/** The operator’s logo and colours as files, and the links of the footer in each language. */
export function brandingOf(settings: BrandSettings): Branding {
  const { name, logo, about } = settings;
  const colours = coloursOf(settings);
  return {
    name,
    logo: logo && named("logo", logo.mediaType, logo.bytes),
    colours: colours === "" ? undefined : named("colours", "text/css", Buffer.from(colours)),
    links: { en: linksIn("en", settings), de: linksIn("de", settings) },
    about,
  };
}

function named(name: string, mediaType: string, bytes: Buffer): SiteFile {
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 12);
  return { name: `${name}-${digest}.${EXTENSIONS[mediaType]}`, mediaType, bytes };
}

function coloursOf({ colour, headerColour }: BrandSettings): string {
  return (
    (colour === undefined ? "" : linksAndButtons(colour)) + (headerColour === undefined ? "" : header(headerColour))
  );
}

/** In the dark scheme, links have a lighter colour, so that they can be read. */
function linksAndButtons(colour: Rgb): string {
  const dark = hexOf(lightened(colour, DARK_PAGE, LEAST_CONTRAST));
  return `:root{--link:light-dark(${hexOf(colour)},${dark});--fill:${hexOf(colour)}}`;
}

/** The header has the same colours in both schemes. Printed pages have none. */
function header(colour: Rgb): string {
  const texts = contrast(colour, WHITE) >= contrast(colour, BLACK) ? hexOf(WHITE) : hexOf(BLACK);
  return `@media screen{.top{background:${hexOf(colour)};border-color:transparent;--text:${texts};--link:${texts}}.top button{background:transparent;border-color:${texts};color:${texts}}}`;
}

function linksIn(language: Language, { imprint, privacy, contact }: BrandSettings): Site["links"][Language] {
  const words = WORDS[language];
  return [
    ...(imprint === undefined ? [] : [{ text: words.imprint, url: imprint[language] }]),
    ...(privacy === undefined ? [] : [{ text: words.privacy, url: privacy[language] }]),
    ...(contact === undefined ? [] : [{ text: words.contact, url: contact[language] }]),
  ];
}

/** The text about the repository in a language, or else the operator’s first one; undefined without any. */
export function aboutIn({ about }: Pick<Branding, "about">, language: Language): Branding["about"][number] | undefined {
  return about.find((one) => one.language === language) ?? about.find((one) => isKnown(one.language)) ?? about[0];
}

function isKnown(language: string): boolean {
  return (LANGUAGES as readonly string[]).includes(language);
}
