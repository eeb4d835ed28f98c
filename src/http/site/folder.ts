import type { FastifyRequest } from "fastify";
import { filesIn, filesWith, findFolder, foldersIn, hasOddKeys, recordFolders } from "../../db/chunks/folders.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { Problem } from "../../domain/problems.ts";
import { type ApplicationAddresses, addressesOf, type FileAddresses, queryText } from "../../public/site/addresses.ts";
import type { ShownFile, ShownFiles, ShownFolder } from "../../public/site/landing/shown.ts";
import { isProbablyShown } from "../../public/site/preview/content.ts";
import type { HttpContext } from "../context.ts";
import { type DatasetFile, mediaTypeOf } from "../dataset/dataset-file.ts";
import { fileOf, filesOf, firstOf, isUnreadable, markerOf, PAYLOAD, serviceFiles } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";
import { isSmall } from "../dataset/unpacking.ts";

/** Folders and files on a page. */
const ENTRIES = 100;
/** Characters of all names on a page, so that a page with very long names stays small. */
const LONGEST = 10_000;
/** Search engines skip pages that describe many files. */
const FEW = 20;
/** A search looks at the paths of all files of a version, unless it has more than this. */
const MOST_SEARCHED = 100_000;
const MOST_WORDS = 10;
/** A list with fewer files needs no search. */
const SEARCHED_FROM = 10;

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

/** Returns the part of the list of files that a request asks for. */
export function placeOf({ query }: FastifyRequest): Place {
  const { folder, from, after, find } = query as Partial<Place>;
  return { folder, from, after, find: find?.trim() || undefined };
}

/** Whether a request asks for the page with the beginning of the list. */
export function isFirstPage(place: Place): boolean {
  return Object.values(place).every((value) => value === undefined);
}

/** How a list of files is shown. */
export interface Showing<Addresses extends FileAddresses = FileAddresses> {
  addresses: Addresses;
  /** Runs a search in its turn (`Limits.search`); undefined if nobody waits for it any more. */
  search: <T>(run: (isOver: () => boolean) => Promise<T>) => Promise<T | undefined>;
}

/** The folder that a request names does not exist. */
export class MissingFolder extends Error {
  override readonly name = "MissingFolder";
}

/** The files of a version that schema.org describes: all if they are few and the reader may see them, otherwise none. */
export async function fewFiles(
  context: HttpContext,
  version: Version,
  described: ExportInput,
): Promise<readonly ShownFile[]> {
  if (version.reader.noFiles !== null || version.objects > FEW) return [];
  const found = await firstOf(filesOf(context, version, { prefix: PAYLOAD }), FEW);
  return found.map((file) => shownFile(file, addressesOf(described, undefined), 0));
}

/** A part of the files of a version, as a reader may see them. @throws MissingFolder */
export async function shownFiles(
  context: HttpContext,
  version: Version,
  place: Place,
  showing: Showing,
): Promise<ShownFiles> {
  try {
    return await listedFiles(context, version, place, showing);
  } catch (error) {
    if (isUnreadable(error)) return "unreadable";
    throw error;
  }
}

/** The same. @throws MissingFolder; Problem if the archive cannot be read now */
export async function listedFiles(
  context: HttpContext,
  version: Version,
  place: Place,
  showing: Showing,
): Promise<ShownFolder | "closed"> {
  if (version.reader.noFiles !== null) return "closed";
  if (place.find !== undefined) return foundFiles(context, version, place, showing);
  const { addresses } = showing;
  const isCounted = await areFoldersRecorded(context, version);
  return isCounted
    ? countedFolder(context, version, place, addresses)
    : uncountedFolder(context, version, place, addresses);
}

/** Whether the folders of a version can be shown. Those of large versions are recorded in the background. */
async function areFoldersRecorded(context: HttpContext, version: Version): Promise<boolean> {
  const { db, archived } = context;
  const { id, attempt } = version.submission;
  const isRecorded = async () => ((await findFolder(db, id, attempt, ""))?.files ?? 0) > 0;
  if (await isRecorded()) return true;
  const recording = archived.folders(version.submission, isSmall(version), () => recordFolders(db, id, attempt));
  if (isSmall(version)) {
    await recording;
    return isRecorded();
  }
  // The next request tries it again, and so does the catalogue, whose failures are logged.
  recording.catch(() => undefined);
  return false;
}

/** A page of a folder: its folders, then its files. */
async function countedFolder(
  context: HttpContext,
  version: Version,
  place: Place,
  addresses: FileAddresses,
): Promise<ShownFolder> {
  const { id, attempt } = version.submission;
  const { after } = place;
  const path = await folderOf(context, version, place);
  const folder = await findFolder(context.db, id, attempt, path);
  if (folder === undefined) throw new MissingFolder(path);
  const from = place.from ?? "";
  const folders =
    after === undefined ? await foldersIn(context.db, id, attempt, { path, from, limit: ENTRIES + 1 }) : [];
  const shownFolders = fitting(folders, ({ name }) => name);
  const nextFolder = folders[shownFolders.length]?.name;
  // At least one, after which the next page continues.
  const most = Math.max(1, ENTRIES - shownFolders.length);
  const search = { path, chunks: folder.chunks, after: after ?? -1, limit: most + 1 };
  const objects = nextFolder === undefined ? await filesIn(context.db, id, attempt, search) : [];
  const files = fitting(
    objects.map((object) => fileOf(object, version)),
    (file) => file.path,
    most,
  );
  const position = objects.length > files.length ? files.at(-1)?.position : undefined;
  const isMore = nextFolder !== undefined || position !== undefined;
  return {
    ...(await shownFolder(context, version, path, addresses)),
    counted: { files: folder.files, bytes: folder.bytes },
    folders: shownFolders.map(({ name, files: count, bytes }) => {
      const below = `${path}${name}/`;
      return { name, path: below, files: count, bytes, url: addresses.folder(below), zip: addresses.file(below) };
    }),
    files: files.map((file) => shownFile(file, addresses, path.length)),
    isFirst: place.from === undefined && after === undefined,
    next: isMore ? addresses.folder(path, { from: nextFolder, after: position }) : undefined,
  };
}

/** A page of all files in a folder and below it, while the folders of the version are not recorded. */
async function uncountedFolder(
  context: HttpContext,
  version: Version,
  place: Place,
  addresses: FileAddresses,
): Promise<ShownFolder> {
  const path = withSlash(place.folder ?? "");
  const { after } = place;
  const wanted = { prefix: PAYLOAD + path, after: after ?? -1 };
  const found = await firstOf(filesOf(context, version, wanted), ENTRIES + 1);
  if (found.length === 0 && path !== "") throw new MissingFolder(path);
  const { files, last } = pageOf(found);
  return {
    ...(await shownFolder(context, version, path, addresses)),
    counted: undefined,
    folders: [],
    files: files.map((file) => shownFile(file, addresses, path.length)),
    isFirst: after === undefined,
    next: last && addresses.folder(path, { after: last.position }),
  };
}

/** The files that the archive has added to those of the source, with complete paths. @throws Problem as `ExportThreads.open` */
export async function addedFiles(
  context: HttpContext,
  version: Version,
  addresses: ApplicationAddresses,
): Promise<ShownFile[]> {
  if (version.reader.noFiles !== null) return [];
  const files = await serviceFiles(context, version);
  return files.map((file) => {
    const { path, bytes, sha512 } = file;
    return { name: path, path, bytes, sha512, mediaType: mediaTypeOf(file), ...addresses.added(path) };
  });
}

/** A page of the files of all folders whose paths contain the words; in large versions those whose paths begin with the text. */
async function foundFiles(
  context: HttpContext,
  version: Version,
  { find = "", after = -1 }: Place,
  { addresses, search }: Showing,
): Promise<ShownFolder> {
  const { files, last } = pageOf(await filesNamed(context, version, { find, after, search }));
  return {
    ...(await shownFolder(context, version, "", addresses, find)),
    counted: undefined,
    folders: [],
    files: files.map((file) => shownFile(file, addresses, 0)),
    isFirst: after === -1,
    next: last && addresses.folder("", { find, after: last.position }),
  };
}

async function filesNamed(
  context: HttpContext,
  version: Version,
  { find, after, search }: { find: string; after: number; search: Showing["search"] },
): Promise<DatasetFile[]> {
  if (isSearchedByBeginning(version)) {
    const begin = (text: string) => firstOf(filesOf(context, version, { prefix: PAYLOAD + text, after }), ENTRIES + 1);
    const found = await begin(find);
    return found.length === 0 ? begin(withoutPayload(find)) : found;
  }
  const words = find
    .split(/\s+/u)
    .map(withoutPayload)
    .filter((word) => word !== "");
  if (words.length > MOST_WORDS) {
    throw new Problem("invalid_request", `At most ${MOST_WORDS} words can be searched for`);
  }
  const { id, attempt } = version.submission;
  const found = await search((isOver) =>
    filesWith(context.db, id, attempt, { words, after, limit: ENTRIES + 1, isOver }),
  );
  return (found ?? []).map((object) => fileOf(object, version));
}

/** Comments, manifests and packages name files with the folder `data/`. */
function withoutPayload(text: string): string {
  return text.startsWith(PAYLOAD) ? text.slice(PAYLOAD.length) : text;
}

function isSearchedByBeginning({ objects }: Version): boolean {
  return objects > MOST_SEARCHED;
}

/** The files that fit on a page, and the last of them if there are more. */
function pageOf(found: readonly DatasetFile[]): { files: DatasetFile[]; last: DatasetFile | undefined } {
  const files = fitting(found, (file) => file.path);
  return { files, last: found.length > files.length ? files.at(-1) : undefined };
}

/** The path of the folder. An address of an earlier version of the service names only a position in the list of all files. */
export async function folderOf(context: HttpContext, version: Version, { folder, after }: Place): Promise<string> {
  if (folder !== undefined || after === undefined) return withSlash(folder ?? "");
  const [file] = await firstOf(filesOf(context, version, { prefix: PAYLOAD, after }), 1);
  return file === undefined ? "" : file.path.slice(PAYLOAD.length, file.path.lastIndexOf("/") + 1);
}

function withSlash(folder: string): string {
  if (folder === "/") return "";
  return folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
}

/** The first entries whose names are not too long together, and at least one. */
function fitting<T>(entries: readonly T[], nameOf: (entry: T) => string, most = ENTRIES): T[] {
  let length = 0;
  const end = entries.findIndex((entry, index) => {
    length += nameOf(entry).length;
    return index === most || (length > LONGEST && index > 0);
  });
  return end === -1 ? [...entries] : entries.slice(0, end);
}

/** The query of the address of a page, without its language. */
export function queryOf({ query }: Pick<ExportInput, "query">, place: Place): string {
  return queryText(query, { ...place });
}

async function shownFolder(
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
  const isRenamed = path === "" ? await hasOddKeys(db, id, attempt) : parts[0] === marker;
  return {
    ...{ path, above, list, start: folder(""), zip: file(path) },
    search: isSearched
      ? { ...search, find, first: find === "" ? undefined : folder("", { find }), isBeginning }
      : undefined,
    renamed: isRenamed ? marker : undefined,
  };
}

/** @param start the beginning of the name in the path below `data/` */
function shownFile(file: DatasetFile, addresses: FileAddresses, start: number): ShownFile {
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
