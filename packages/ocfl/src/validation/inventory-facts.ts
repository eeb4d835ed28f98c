import { HashTable } from "../io/hash-table.ts";
import { PathSet } from "./paths.ts";

/** A version block without its state. A member that is not a string was reported and is absent here. */
export interface VersionBlock {
  created?: string;
  message?: string;
  userName?: string;
  userAddress?: string;
  /** The names of its members, also those of a wrong type. */
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
  /** The names of its known members, also those of a wrong type. */
  has: Set<string>;
  versions: Map<string, VersionBlock>;
  /** Digests by their lower-case text; the bits are {@link IN_MANIFEST} and its neighbours. */
  digests: HashTable;
  contents: PathSet;
  /** The files that invalid content paths of the manifest refer to, as valid paths. */
  invalidPathTargets: HashTable;
  /** Blocks that are missing or malformed. Findings that would only follow from that are not reported. */
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

/** The facts of an inventory before it is parsed. */
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
