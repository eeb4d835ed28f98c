import type { ColumnType, Generated } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { CatalogueSummary, TermKind } from "../../public/catalogue/entry.ts";
import type { Timestamp } from "./columns.ts";

/** A version that is or was published, as the public catalogue finds it. */
export interface CatalogueEntryTable {
  /** Never changes, so that lists in this order lose nothing while entries change. */
  no: Generated<string>;
  dataset_id: string;
  version: number;
  /** When the public metadata changed: the datestamp of OAI-PMH. */
  changed_at: Timestamp;
  /** Digest of the public state from which the entry was made; null in entries of earlier releases. */
  basis: string | null;
  /** Whether the version is published now. Changes in the transaction that changes the publication. */
  visible: boolean;
  /** Whether it is the newest published version of its dataset. */
  newest: boolean;
  access: AccessKind;
  /** `YYYY-MM-DD`, UTC. */
  embargo_date: string | null;
  published_at: Timestamp;
  revision: number;
  title: string;
  sort_title: string;
  summary: ColumnType<CatalogueSummary, string, string>;
  /** Ids of catalogue terms. */
  terms: number[];
  /** Words of the title, names and keywords. */
  heading: string;
  /** Words of all public metadata. */
  words: string;
  /** Words of file names, which are searched only while the files are open; null before they were read. */
  file_words: string | null;
}

/** What searches find of the newest published version of a dataset: a part of its entry, in a small row. */
export interface CatalogueSearchTable {
  /** Number of the entry. */
  no: string;
  published_at: Timestamp;
  sort_title: string;
  access: AccessKind;
  /** `YYYY-MM-DD`, UTC. */
  embargo_date: string | null;
  terms: number[];
  /** Whether the names of files may be found. */
  searches_files: boolean;
  /** Whether `found_words` has pairs of words, so that it decides about phrases. */
  has_pairs: boolean;
  /** What a search may find now, without positions. */
  found_words: string;
}

/** A value by which a search can be narrowed down. */
export interface CatalogueTermTable {
  id: Generated<number>;
  kind: TermKind;
  value: string;
  label: string;
}
