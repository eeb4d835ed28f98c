import type { AccessKind } from "../../../../packages/rules/src/index.ts";
import { type ExportInput, type Publisher, type Summary, summaryOf } from "../../../describe/formats/export-input.ts";
import { METADATA_FORMATS } from "../../../describe/formats/formats.ts";
import { agentOf } from "../../../describe/metadata/agent.ts";
import type { NormalizedMetadata } from "../../../describe/metadata/normalized.ts";
import { textIn } from "../../../domain/collection.ts";
import { dayText } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { pageAddress } from "../layout.ts";
import type { Language, Site } from "../site.ts";
import { WORDS } from "../words.ts";
import { citePart } from "./cite.ts";
import { descriptionPart, headingPart } from "./description.ts";
import { detailsBox, type Identity, linked } from "./details.ts";
import { ownFieldsPart } from "./own-fields.ts";
import { placesPart } from "./places.ts";
import type { Landing } from "./shown.ts";
import { langOf, type Stated } from "./stated.ts";
import { fundingPart, relatedPart } from "./works.ts";

/**
 * The parts of a page that the application shows, as HTML. They are those of the landing page, for a reader who may see a version
 * that is not published, or only a part of its metadata.
 */
export interface PageParts {
  heading: string;
  description: string;
  /** Absent for reviewers, who do not learn how the dataset is cited. */
  citation?: string;
  /** The part after the files. */
  further: string;
  details: string;
  /** Absent for reviewers. */
  exports?: string;
}

/** A version for readers of the application, who may see all of its metadata. */
export interface AppVersion {
  described: ExportInput;
  collections: Landing["collections"];
  /** Whether anyone may find datasets in the catalogue. */
  hasCatalogue: boolean;
  /** Undefined for a version that is not published. */
  published: { at: Date; access: AccessKind; identifier: string | undefined } | undefined;
  /** Whether an embargo of the metadata is only proposed. */
  isProposal: boolean;
  /** Whether the reader can reserve a DOI for the version. */
  mayReserve: boolean;
  /** Whether the reader is an admin. */
  seesFaults: boolean;
}

/** The parts of a version in the application. */
export function versionParts(site: Site, version: AppVersion, language: Language): PageParts {
  const { described, published, hasCatalogue, collections } = version;
  const { metadata } = described.facts;
  const summary = summaryOf(described);
  const stated: Stated = {
    ...{ language, metadata, isWhole: true, hasPlaces: true, seesFaults: version.seesFaults },
    catalogue: hasCatalogue ? (query) => pageAddress(site, `/?${query}`) : undefined,
  };
  const words = WORDS[language].landing;
  const time = published?.at.toISOString() ?? described.facts.archivedAt;
  const date = html` · ${published === undefined ? words.archived : words.published} <time datetime="${time}">${dayText(time, language)}</time>`;
  const identity = { ...identityOf(summary, published?.identifier), embargo: embargoIn(version, language) };
  return {
    heading: headingPart(stated, { ...summary, access: published?.access, date }).text,
    description: descriptionPart(stated).text,
    citation: citePart(described, language, adviceOf(version, language)).text,
    further: furtherParts(stated, described).text,
    details: html`${collectionsBox(site, { collections, language })}${detailsBox(stated, identity)}`.text,
    exports: exportsBox(described, language).text,
  };
}

/** A version for reviewers. An anonymous view contains nothing but these metadata. */
export interface ReviewedVersion {
  version: number;
  /** Without authors in an anonymous view. */
  metadata: NormalizedMetadata;
  /** Undefined in an anonymous view. */
  publisher: Publisher | undefined;
}

/** The parts of a version for reviewers. */
export function reviewedParts({ version, metadata, publisher }: ReviewedVersion, language: Language): PageParts {
  const stated: Stated = {
    ...{ language, metadata, isWhole: publisher !== undefined },
    ...{ catalogue: undefined, hasPlaces: false },
  };
  const creators = metadata.authors.filter(({ role }) => role === "Creator").map(agentOf);
  const named = metadata.versionLabel ?? String(version);
  const { embargoDate } = metadata;
  const embargo = embargoDate === undefined ? undefined : { date: embargoDate, means: undefined };
  return {
    heading: headingPart(stated, { creators, version: named, access: undefined, date: NOTHING }).text,
    description: descriptionPart(stated).text,
    further: furtherParts(stated, undefined).text,
    details: detailsBox(stated, { identifier: undefined, publisher, embargo }).text,
  };
}

function furtherParts(stated: Stated, described: ExportInput | undefined): Html {
  return html`${relatedPart(stated)}
${fundingPart(stated)}
${placesPart(stated)}
${ownFieldsPart(stated, described)}`;
}

/** The facts for readers who see all metadata. @param published the identifier under which the version is published */
export function identityOf({ url, doi, identifier, publisher }: Summary, published: string | undefined): Identity {
  return { identifier: linked(url, doi ?? published ?? identifier), publisher, embargo: undefined };
}

function embargoIn({ described, isProposal, hasCatalogue }: AppVersion, language: Language): Identity["embargo"] {
  const { embargoProposed, embargoMeans } = WORDS[language].landing;
  const date = described.facts.metadata.embargoDate;
  const means = hasCatalogue ? embargoProposed : embargoMeans;
  return date === undefined ? undefined : { date, means: isProposal ? means : undefined };
}

/** Advice about the citation of a version that is not published. */
function adviceOf({ described: { unpublished }, mayReserve }: AppVersion, language: Language): Html {
  if (unpublished === undefined) return NOTHING;
  const words = WORDS[language].landing;
  const { reservedDoi } = unpublished;
  if (reservedDoi !== undefined) return html`<p>${words.reserved(reservedDoi)}</p>`;
  return html`<p>${mayReserve ? words.reserveFirst : words.unpublished}</p>`;
}

/** The collections of the dataset; nothing if it belongs to none. */
export function collectionsBox(site: Site, { collections, language }: Pick<Landing, "collections" | "language">): Html {
  if (collections.length === 0) return NOTHING;
  const shown = collections.map(({ id, name }) => ({ id, ...textIn(name, language) }));
  return html`<section class="box" aria-labelledby="collections"><h2 id="collections">${WORDS[language].landing.partOf(shown.length === 1)}</h2>
<ul>${shown.map(({ id, text, language: written }) => html`<li><a href="${pageAddress(site, `/collections/${id}`)}"${written === language ? NOTHING : langOf(written)}>${text}</a></li>`)}</ul></section>
`;
}

/** The metadata in all formats. */
export function exportsBox({ facts, query }: ExportInput, language: Language): Html {
  const formats = Object.entries(METADATA_FORMATS);
  return html`<section class="box no-print" aria-labelledby="exports"><h2 id="exports">${WORDS[language].landing.exports}</h2>
<ul class="tags">${formats.map(([name, { title }]) => html`<li><a data-export="${name}" href="${facts.url}/export/${name}${query}">${title}</a></li>`)}</ul></section>`;
}
