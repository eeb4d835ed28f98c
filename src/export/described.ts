import {
  availableOn,
  datasetUrn,
  descriptionOf,
  NO_LICENCE,
  type PackageFacts,
  type Publisher,
  versionUrl,
} from "../archive/metadata/facts.ts";
import { type Agent, agentOf } from "../submission/metadata/agent.ts";

export type { Publisher } from "../archive/metadata/facts.ts";
export type { Agent } from "../submission/metadata/agent.ts";

/** A dataset as every export of its metadata sees it. */
export interface Described {
  facts: PackageFacts & { url: string };
  /** What makes an address below that one of this very version; nothing for the latest. */
  query: string;
  /** Packages of all its files. */
  downloads: { url: string; name: string; mediaType: string; profile: string }[];
}

/** What most formats say, found once. */
export interface Summary {
  identifier: string;
  /** The address of this very version, also while it is the latest. */
  url: string;
  title: string;
  description: string;
  creators: Agent[];
  contributors: Agent[];
  publisher: Publisher;
  /** `YYYY-MM-DD`, the end of an embargo where there is one. */
  available: string;
  /** The day until which nobody but its owner may have it; undefined without an embargo that ends after publication. */
  embargo: string | undefined;
  year: string;
  version: string;
  language: string | undefined;
  subjects: string[];
  licence: { name: string; url?: string };
}

export function summaryOf({ facts }: Described): Summary {
  const { metadata } = facts;
  const available = availableOn(facts);
  const of = (isCreator: boolean) =>
    metadata.authors.filter(({ role }) => (role === "Creator") === isCreator).map(agentOf);
  return {
    identifier: datasetUrn(facts.datasetId),
    url: versionUrl(facts.url, facts.version),
    title: metadata.title,
    description: descriptionOf(metadata),
    creators: of(true),
    contributors: of(false),
    publisher: facts.publisher,
    available,
    embargo: available > facts.publishedAt.slice(0, 10) ? available : undefined,
    year: available.slice(0, 4),
    version: String(facts.version),
    language: metadata.language,
    subjects: metadata.subjects,
    licence: metadata.license ?? { name: NO_LICENCE },
  };
}

/** A text as one line: what ends lines, and other controls, become spaces. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
