import { createHash } from "node:crypto";
import { hexOf, lightened, type Rgb } from "../../domain/colour.ts";
import { LANGUAGES, type Language, type Site } from "./site.ts";
import { WORDS } from "./words.ts";

/** The settings of the public pages. */
interface BrandSettings {
  name: string | undefined;
  logo: { bytes: Buffer; mediaType: string } | undefined;
  colour: Rgb | undefined;
  imprint: string | undefined;
  privacy: string | undefined;
  about: readonly { language: string; text: string }[];
}

/** How the operator wants the public pages to look. */
export interface Branding {
  name: string | undefined;
  logo: SiteFile | undefined;
  /** A style sheet with the operator’s colour. */
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
const EXTENSIONS: Record<string, string> = { "image/png": "png", "image/svg+xml": "svg", "text/css": "css" };

/** The operator’s logo and colour as files, and the links of the footer in each language. */
export function brandingOf(settings: BrandSettings): Branding {
  const { name, logo, colour, about } = settings;
  return {
    name,
    logo: logo && named("logo", logo.mediaType, logo.bytes),
    colours: colour && named("colours", "text/css", Buffer.from(coloursOf(colour))),
    links: { en: linksIn("en", settings), de: linksIn("de", settings) },
    about,
  };
}

function named(name: string, mediaType: string, bytes: Buffer): SiteFile {
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 12);
  return { name: `${name}-${digest}.${EXTENSIONS[mediaType]}`, mediaType, bytes };
}

/** In the dark scheme, links have a lighter colour, so that they can be read. */
function coloursOf(colour: Rgb): string {
  const dark = hexOf(lightened(colour, DARK_PAGE, LEAST_CONTRAST));
  return `:root{--link:light-dark(${hexOf(colour)},${dark});--fill:${hexOf(colour)}}`;
}

function linksIn(language: Language, { imprint, privacy }: BrandSettings): Site["links"][Language] {
  return [
    ...(imprint === undefined ? [] : [{ text: WORDS[language].imprint, url: imprint }]),
    ...(privacy === undefined ? [] : [{ text: WORDS[language].privacy, url: privacy }]),
  ];
}

/** The text about the repository in a language, or else the operator’s first one; undefined without any. */
export function aboutIn({ about }: Pick<Branding, "about">, language: Language): Branding["about"][number] | undefined {
  return about.find((one) => one.language === language) ?? about.find((one) => isKnown(one.language)) ?? about[0];
}

function isKnown(language: string): boolean {
  return (LANGUAGES as readonly string[]).includes(language);
}
