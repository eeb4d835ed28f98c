import { HashTable } from "../io/hash-table.ts";
import { PathSet } from "./paths.ts";

/** What a version block says besides its state; a member that is no string is absent and was reported. */
export interface VersionBlock {
  created?: string;
  message?: string;
  userName?: string;
  userAddress?: string;
  /** The members that it has, of whatever kind they are. */
  has: Set<string>;
  isUserObject: boolean;
  isObject: boolean;
}

/** The small members of an inventory, and its large ones as tables. */
export interface InventoryFacts {
  id?: string;
  type?: string;
  digestAlgorithm?: string;
  head?: string;
  contentDirectory: string;
  /** The known members that it has, of whatever kind they are. */
  has: Set<string>;
  versions: Map<string, VersionBlock>;
  /** Digests by their lower-case text; the bits are {@link IN_MANIFEST} and its neighbours. */
  digests: HashTable;
  contents: PathSet;
  /** Where invalid content paths of the manifest lead to all the same. */
  invalidPathTargets: HashTable;
  /** Blocks that are missing or not of their form, so that what follows from what they lack is not reported besides. */
  invalidBlocks: Set<"manifest" | "versions">;
}

// A digest may be written in either case, but in the same one in manifest and states (E050).
export const IN_MANIFEST = 1;
export const IN_MANIFEST_UPPER = 2;
export const IN_STATE = 4;
export const IN_STATE_UPPER = 8;
/** The digest in the manifest has the form of one. */
export const LIKE_SHA512 = 16;
export const LIKE_SHA256 = 32;

/** Those of an inventory of which nothing has been read yet. */
export function emptyFacts(): InventoryFacts {
  return {
    contentDirectory: "content",
    has: new Set(),
    versions: new Map(),
    digests: new HashTable(),
    contents: new PathSet(),
    invalidPathTargets: new HashTable(),
    invalidBlocks: new Set(),
  };
}
