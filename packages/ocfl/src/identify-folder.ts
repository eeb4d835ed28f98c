import { opendir } from "node:fs/promises";

/** The type of a folder in OCFL. */
export interface OcflFolder {
  type: "object" | "storage root";
  /** Whether the folder has a declaration (`0=ocfl…`); otherwise the type is a guess from its other entries. */
  isDeclared: boolean;
}

/**
 * Determines whether a folder is an OCFL object or a storage root: by its declaration, or by its other entries if it
 * has none. An inventory or a version's folder indicates an object, `ocfl_layout.json` a storage root. A folder without
 * subfolders counts as an object.
 *
 * @returns undefined for a folder that is neither
 * @throws the file system's error for a folder that cannot be listed
 */
export async function identifyFolder(folder: string): Promise<OcflFolder | undefined> {
  let declared: OcflFolder["type"] | undefined;
  let isLikeObject = false;
  let isLikeRoot = false;
  let hasFolders = false;
  for await (const entry of await opendir(folder)) {
    const { name } = entry;
    if (name.startsWith("0=ocfl_object_")) declared = "object";
    else if (name.startsWith("0=ocfl_")) declared ??= "storage root";
    isLikeObject ||= name === "inventory.json" || /^v\d+$/.test(name);
    isLikeRoot ||= name === "ocfl_layout.json";
    hasFolders ||= entry.isDirectory();
  }
  if (declared !== undefined) return { type: declared, isDeclared: true };
  if (isLikeRoot) return { type: "storage root", isDeclared: false };
  return isLikeObject || !hasFolders ? { type: "object", isDeclared: false } : undefined;
}
