import { datasetUrn } from "../../domain/uuid.ts";
import { unmarked } from "../markup.ts";
import { type Agent, agentOf } from "../metadata/agent.ts";
import type { NormalizedContact } from "../metadata/normalized.ts";
import {
  availableOn,
  descriptionOf,
  doiUrl,
  issuedOn,
  keywordsOf,
  NO_LICENCE,
  type Publisher,
  publicContactOf,
  type VersionFacts,
  versionLabelOf,
  versionUrl,
} from "../version-facts.ts";
import type { DescribedFiles } from "./croissant/described-files.ts";

/** The parts of a person's name that citation formats use. */
interface NameParts {
  family?: string;
  given?: string;
  suffix?: string;
}

/** A suffix after a comma at the end of a family name or of given names. */
const SUFFIX =
  /^(.*\S)\s*,\s*((?:jr|sr|jun|sen)\.?|junior|senior|[ivx]{2,4}|[2-9](?:nd|rd|th)|ph\.?\s?d\.?|m\.?d\.?|esq\.?)$/is;

export type { Agent, Institution } from "../metadata/agent.ts";
export type { Publisher } from "../version-facts.ts";

/** A dataset as the input of all metadata exports. Its metadata state an embargo only while it is in force. */
export interface ExportInput {
  facts: VersionFacts & { url: string };
  /** The query that makes a URL below the dataset's URL refer to this version; empty for the latest. */
  query: string;
  /** Packages with all files. */
  downloads: { url: string; name: string; mediaType: string; profile: string }[];
  /** The day on which a person last changed the metadata, `YYYY-MM-DD`; absent if they are those of the submission. */
  revisedOn?: string;
  /** Set before publication at a service that publishes: strangers cannot open the address of the version then. */
  unpublished?: { reservedDoi: string | undefined };
  /** For formats that list the files. */
  files?: DescribedFiles;
}

/** What a citation refers to. */
interface Cited {
  /** Unique for each version. */
  id: string;
  doi: string | undefined;
  /** Undefined before publication. */
  url: string | undefined;
  /** The URN of the dataset; undefined with a DOI. */
  urn: string | undefined;
  /** {@link UNPUBLISHED} before publication. */
  status: string | undefined;
}

const UNPUBLISHED = "Not published yet";

/** Values that most formats need. */
export interface Summary {
  /** The DOI of this version as URL, or the URN of the dataset. */
  identifier: string;
  doi: string | undefined;
  /** For citations: the DOI as URL, or else the URL of this version, also if it is the latest. */
  url: string;
  title: string;
  description: string;
  creators: Agent[];
  contributors: Agent[];
  publisher: Publisher;
  /** Only if it is public. */
  contact: NormalizedContact | undefined;
  /** Day of publication, `YYYY-MM-DD`; before it, that of archiving. */
  issued: string;
  /** First day on which all readers can read the files; undefined if there is none. */
  available: string | undefined;
  /** First day after an embargo that is in force; undefined without one. */
  embargo: string | undefined;
  /** Of publication, for citations. */
  year: string;
  /** The submitter's name of the version, or its number. */
  version: string;
  language: string | undefined;
  /** Keywords, and the names of terms from vocabularies. */
  keywords: string[];
  licence: { name: string; url?: string };
}

export function summaryOf({ facts }: ExportInput): Summary {
  const { metadata } = facts;
  const issued = issuedOn(facts);
  const of = (isCreator: boolean) =>
    metadata.authors.filter(({ role }) => (role === "Creator") === isCreator).map(agentOf);
  return {
    identifier: facts.doi === undefined ? datasetUrn(facts.datasetId) : doiUrl(facts.doi),
    doi: facts.doi,
    url: facts.doi === undefined ? versionUrl(facts.url, facts.version) : doiUrl(facts.doi),
    title: metadata.title,
    description: unmarked(descriptionOf(metadata)),
    creators: of(true),
    contributors: of(false),
    publisher: facts.publisher,
    contact: publicContactOf(metadata),
    issued,
    available: availableOn(facts),
    embargo: metadata.embargoDate,
    year: issued.slice(0, 4),
    version: versionLabelOf(facts),
    language: metadata.language,
    keywords: keywordsOf(metadata),
    licence: metadata.license ?? { name: NO_LICENCE },
  };
}

/** What citations refer to. Before publication, a reserved DOI and no address, because strangers cannot open it. */
export function citedOf(described: ExportInput): Cited {
  const { facts, unpublished } = described;
  const { doi: publicDoi, url } = summaryOf(described);
  const doi = unpublished === undefined ? publicDoi : unpublished.reservedDoi;
  const urn = doi === undefined ? datasetUrn(facts.datasetId) : undefined;
  if (unpublished === undefined) return { id: url, doi, url, urn, status: undefined };
  return { id: `${facts.datasetId}-v${facts.version}`, doi, url: undefined, urn, status: UNPUBLISHED };
}

/** A text as one line. Line ends and other control characters become spaces. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Separates a suffix from the name it was sent with: “King, Jr.” is the family name “King” with the suffix “Jr.”. */
export function namePartsOf(agent: Agent): NameParts {
  const family = split(agent.family);
  const given = split(agent.given);
  const suffix = [...family.suffixes, ...given.suffixes].join(", ");
  return {
    ...(family.name !== undefined && { family: family.name }),
    ...(given.name !== undefined && { given: given.name }),
    ...(suffix !== "" && { suffix }),
  };
}

/** Separates the suffixes, in the order in which they were sent. */
function split(name: string | undefined): { name: string | undefined; suffixes: string[] } {
  const [, before, suffix] = SUFFIX.exec(name ?? "") ?? [];
  if (before === undefined || suffix === undefined) return { name, suffixes: [] };
  const rest = split(before);
  return { name: rest.name, suffixes: [...rest.suffixes, suffix] };
}
