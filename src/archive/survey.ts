import type { ArchiveReader } from "./reader.ts";

/** The contents of an archive according to the names of its files. */
export interface Survey {
  /** Folders of OCFL objects, relative to the archive, sorted by name. */
  objects: { folder: string; kind: ObjectKind }[];
  /** Other entries of the storage root, which belong neither to it nor to an object. */
  otherFiles: string[];
  /** Foreign folders that this user may not list. They were skipped. */
  unreadable: string[];
  /** Ids of the datasets that have a tombstone. */
  withdrawn: string[];
  /**
   * Ids of datasets with files beside a missing tombstone. It is written last: if the dataset is visible, its withdrawal was
   * interrupted, otherwise the tombstone is lost.
   */
  withoutTombstone: string[];
}

/**
 * `package`: a dataset of this service with its logs. `bare`: a dataset without logs. `unpublished`: a dataset that is
 * not visible, because its publication is incomplete or it is damaged. `broken`: not an OCFL object. `foreign`: an OCFL
 * object of other software.
 */
type ObjectKind = "package" | "bare" | "unpublished" | "broken" | "foreign";

const ROOT = /^ocfl\/(0=ocfl_[^/]+|ocfl_[^/]+\.(txt|html|md)|ocfl_layout\.json|extensions\/.*)$/s;
/** The path of a file in an object. Names may contain line feeds. */
const OBJECT = /^(ocfl\/[0-9a-f]{3}\/[0-9a-f]{3}\/[0-9a-f]{3}\/[0-9a-f]{128})\/(.+)$/s;
const WITHDRAWN = /^withdrawn\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(.+)$/s;
const TOMBSTONE = "tombstone.json";
const LOGS = /^logs\/v\d+\//;
const MANIFEST = /^v\d+\/content\/metadata\/source-manifest\.jsonl$/;
const DECLARATION = "0=ocfl_object_1.1";
const INVENTORY = "inventory.json";

/** No dataset and no tombstone is stored in a folder of another name. */
const OWN_FOLDER = /^[^/]+(\/([0-9a-f]{3}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|extensions)(\/.*)?)?$/s;

/** Whether a folder of the storage root, or of the folder of tombstones, is not one that this software makes. */
export function isForeignFolder(path: string): boolean {
  return !OWN_FOLDER.test(path);
}

/** What the survey has found of an object. */
interface Seen {
  isDeclared: boolean;
  isVisible: boolean;
  hasLogs: boolean;
  hasManifest: boolean;
}

/**
 * Lists the name of every file of an archive once. Keeps a few bytes for each dataset and nothing for its files.
 * @param seen is called from time to time with the number of files so far
 * @throws the file system's error for an unreadable folder that may hold datasets
 */
export async function surveyArchive(reader: ArchiveReader, seen: (files: number) => void = () => {}): Promise<Survey> {
  const objects = new Map<string, Seen>();
  const otherFiles = new Set<string>();
  const unreadable = new Set<string>();
  const skip = (folder: string) => isForeignFolder(folder) && unreadable.add(folder).size > 0;
  let files = 0;
  for await (const path of reader.names("ocfl", skip)) {
    if (++files % 10_000 === 0) seen(files);
    const [, folder, name = ""] = OBJECT.exec(path) ?? [];
    if (folder === undefined) {
      // Reported by its topmost folder, because a foreign folder may contain many files.
      if (!ROOT.test(path)) otherFiles.add(path.split("/").slice(0, 2).join("/"));
      continue;
    }
    const found = objects.get(folder) ?? { isDeclared: false, isVisible: false, hasLogs: false, hasManifest: false };
    if (name === DECLARATION) found.isDeclared = true;
    else if (name === INVENTORY) found.isVisible = true;
    else if (LOGS.test(name)) found.hasLogs = true;
    else if (MANIFEST.test(name)) found.hasManifest = true;
    objects.set(folder, found);
  }
  const withdrawn = new Set<string>();
  const named = new Set<string>();
  for await (const path of reader.names("withdrawn", skip)) {
    const [, id, name] = WITHDRAWN.exec(path) ?? [];
    if (id === undefined) continue;
    named.add(id);
    if (name === TOMBSTONE) withdrawn.add(id);
  }
  return {
    objects: [...objects]
      .map(([folder, found]) => ({ folder, kind: kindOf(found) }))
      .sort((a, b) => (a.folder < b.folder ? -1 : 1)),
    otherFiles: [...otherFiles].sort(),
    unreadable: [...unreadable].sort(),
    withdrawn: [...withdrawn].sort(),
    withoutTombstone: [...named.difference(withdrawn)].sort(),
  };
}

function kindOf({ isDeclared, isVisible, hasLogs, hasManifest }: Seen): ObjectKind {
  if (!hasLogs && !hasManifest) return "foreign";
  if (!isVisible) return "unpublished";
  if (!isDeclared) return "broken";
  return hasLogs ? "package" : "bare";
}
