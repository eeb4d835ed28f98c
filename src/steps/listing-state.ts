import type { OpenKey } from "../domain/path.ts";
import type { ListingPosition } from "../source/listing/listing.ts";

/** How far a listing has come: enough to go on after a restart, at the next page. */
export interface ListingState {
  /** Where the server goes on; absent after the last page. */
  source?: ListingPosition;
  progress: Progress;
}

export interface Progress {
  /** The next object's place. */
  seq: number;
  /** The next chunk's number. */
  chunk: number;
  lastKey: string;
  /** False once a key came that is not after the one before it, byte by byte. */
  ordered: boolean;
  /** Of an ordered listing, the keys that later ones can still make folders. */
  open: readonly OpenKey[];
}

/** How far the second listing has come. */
export interface RelistingState {
  source?: ListingPosition;
  /** The last key that the server listed, selected or not. */
  lastKey?: string;
  done: boolean;
}
