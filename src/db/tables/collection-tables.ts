import type { LocalText } from "../../domain/collection.ts";
import type { Json, Timestamp } from "./columns.ts";

type Text = Json<LocalText>;

/** A collection, which anyone may see. */
export interface CollectionTable {
  /** Part of its address. Never changes. */
  id: string;
  name: Text;
  /** May contain the markup of descriptions; may be empty. */
  description: Text;
  /** Account names of those who decide which datasets belong to it; empty for all curators. */
  curators: string[];
  /** SPDX ids of the licences that it accepts; empty for all. */
  licences: string[];
  /** Number of changes of this row; part of its ETag. */
  changes: number;
  created_at: Timestamp;
  changed_at: Timestamp;
}

/** A dataset that belongs to a collection. */
export interface CollectionDatasetTable {
  collection_id: string;
  dataset_id: string;
  /** Account name. */
  added_by: string;
  added_at: Timestamp;
}
