import { findFolder } from "../../db/chunks/folders.ts";
import type { FileAddresses } from "../../public/site/addresses.ts";
import type { ShownFile, ShownFolder } from "../../public/site/landing/shown.ts";
import { isProbablyShown } from "../../public/site/preview/content.ts";
import type { HttpContext } from "../context.ts";
import { type DatasetFile, mediaTypeOf } from "../dataset/dataset-file.ts";
import { markerOf, PAYLOAD } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";

/** Folders and files on a page, so that it stays below 100 kB beside the metadata. */
export const ENTRIES = 50;
/** Characters of all names on a page, so that a page with very long names stays small. */
const LONGEST = 10_000;
/** A list with fewer files needs no search. */
const SEARCHED_FROM = 10;
/** A search looks at the paths of all files of a version, unless it has more than this. */
const MOST_SEARCHED = 100_000;

/** The part of the list of files that a landing page shows. */
export interface Place {
  /** Undefined if the request names none. */
  folder: string | undefined;
  /** The name of the first folder; undefined for all. */
  from: string | undefined;
  /** The position after which files follow, without folders; undefined for all. */
  after: number | undefined;
  /** Words that the paths of the files contain; undefined for a folder. */
  find: string | undefined;
}

/** How a list of files is shown. */
export interface Showing<Addresses extends FileAddresses = FileAddresses> {
  addresses: Addresses;
  /** Runs a search after those before it (`Limits.search`); undefined if its client has left. */
  search: <T>(run: (isOver: () => boolean) => Promise<T>) => Promise<T | undefined>;
}

/** The files that fit on a page, and the last of them if there are more. */
export function pageOf(found: readonly DatasetFile[]): { files: DatasetFile[]; last: DatasetFile | undefined } {
  const files = fitting(found, (file) => file.path);
  return { files, last: found.length > files.length ? files.at(-1) : undefined };
}

/** The first entries whose names are not too long together, and at least one. */
export function fitting<T>(entries: readonly T[], nameOf: (entry: T) => string, most = ENTRIES): T[] {
  let length = 0;
  const end = entries.findIndex((entry, index) => {
    length += nameOf(entry).length;
    return index === most || (length > LONGEST && index > 0);
  });
  return end === -1 ? [...entries] : entries.slice(0, end);
}

/** Whether a search finds the beginnings of paths only, because there are too many files to look at all. */
export function isSearchedByBeginning({ objects }: Version): boolean {
  return objects > MOST_SEARCHED;
}

/** What surrounds the entries of a page. @param find what was searched for */
export async function shownFolder(
  { db }: HttpContext,
  version: Version,
  path: string,
  { folder, file, search, list }: FileAddresses,
  find = "",
): Promise<Omit<ShownFolder, "folders" | "files" | "counted" | "isFirst" | "next">> {
  const { id, attempt } = version.submission;
  const parts = path.split("/").slice(0, -1);
  const above = parts.map((name, index) => ({ name, url: folder(`${parts.slice(0, index + 1).join("/")}/`) }));
  const isSearched = find !== "" || version.objects >= SEARCHED_FROM;
  const isBeginning = isSearchedByBeginning(version);
  const marker = markerOf(version);
  const isRenamed = path === "" ? (await findFolder(db, id, attempt, `${marker}/`)) !== undefined : parts[0] === marker;
  return {
    ...{ path, above, list, start: folder(""), zip: file(path) },
    search: isSearched
      ? { ...search, find, first: find === "" ? undefined : folder("", { find }), isBeginning }
      : undefined,
    renamed: isRenamed ? marker : undefined,
  };
}

/** A file as a page shows it. @param start the beginning of the name in the path below `data/` */
export function shownFile(file: DatasetFile, addresses: FileAddresses, start: number): ShownFile {
  const path = file.path.slice(PAYLOAD.length);
  const mediaType = mediaTypeOf(file);
  return {
    name: file.path.slice(PAYLOAD.length + start),
    path,
    bytes: file.bytes,
    sha512: file.sha512,
    url: addresses.file(path),
    page: addresses.everyPage || isProbablyShown(path, mediaType) ? addresses.page(path) : undefined,
    mediaType,
  };
}
