import type { OpenKey } from "../domain/keys-and-paths/path.ts";
import type { ListingPosition } from "../source/source.ts";

/** Progress of a listing: sufficient to continue at the next page after a restart. */
export interface ListingState {
  /** Position where the server continues; absent after the last page. */
  source?: ListingPosition;
  progress: Progress;
}

export interface Progress {
  /** Sequence number of the next object. */
  seq: number;
  /** Number of the next chunk. */
  chunk: number;
  lastKey: string;
  /** False once a key does not follow the previous key in byte order. */
  ordered: boolean;
  /** In an ordered listing: the keys that later keys can still turn into folders. */
  open: readonly OpenKey[];
}

/** Progress of the second listing. */
export interface RelistingState {
  source?: ListingPosition;
  /** The last key that the server listed, selected or not. */
  lastKey?: string;
  done: boolean;
}
