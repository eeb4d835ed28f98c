import { HashTable } from "../io/hash-table.ts";
import { PathSet } from "./paths.ts";

/** A version block without its state. Members that are not strings were reported and are absent here. */
export interface VersionBlock {
  created?: string;
  message?: string;
  userName?: string;
  userAddress?: string;
  /** The names of its members, including those with a wrong type. */
  has: Set<string>;
  isUserObject: boolean;
  isObject: boolean;
}

/** The small members of an inventory, and tables of its large ones. */
export interface InventoryFacts {
  id?: string;
  type?: string;
  digestAlgorithm?: string;
  head?: string;
  contentDirectory: string;
  /** The names of its known members, including those with a wrong type. */
  has: Set<string>;
  versions: Map<string, VersionBlock>;
  /** Digests in lower case; the bits are {@link IN_MANIFEST} and the constants below it. */
  digests: HashTable;
  contents: PathSet;
  /** The files to which invalid content paths of the manifest refer, as valid paths. */
  invalidPathTargets: HashTable;
  /** Blocks that are missing or malformed. Findings that would only follow from them are not reported. */
  invalidBlocks: Set<"manifest" | "versions">;
}

// A digest may be in upper or lower case, but must have the same case in the manifest and in states (E050).
export const IN_MANIFEST = 1;
export const IN_MANIFEST_UPPER = 2;
export const IN_STATE = 4;
export const IN_STATE_UPPER = 8;
/** The digest in the manifest has the form of this algorithm. */
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
