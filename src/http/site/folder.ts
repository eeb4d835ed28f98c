import type { FastifyRequest } from "fastify";
import { filesIn, findFolder, foldersIn, recordFolders } from "../../db/chunks/folders.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import type { CountedFolder } from "../../domain/keys-and-paths/folder-counts.ts";
import { addressesOf, type FileAddresses, type Position, queryText } from "../../public/site/addresses.ts";
import type { ShownFile, ShownFiles, ShownFolder } from "../../public/site/landing/shown.ts";
import { isProbablyShown } from "../../public/site/preview/content.ts";
import type { HttpContext } from "../context.ts";
import { type DatasetFile, mediaTypeOf } from "../dataset/dataset-file.ts";
import { fileOf, filesOf, firstOf, isUnreadable, PAYLOAD } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";
import { isSmall } from "../dataset/unpacking.ts";

/** Folders and files on a page. */
const ENTRIES = 100;
/** Characters of all names on a page, so that a page with very long names stays small. */
const LONGEST = 10_000;
/** Search engines skip pages that describe many files. */
const FEW = 20;

/** The part of the list of files that a landing page shows. */
export interface Place {
  /** Undefined if the request names none. */
  folder: string | undefined;
  /** The name of the first folder; undefined for all. */
  from: string | undefined;
  /** The position after which files follow, without folders; undefined for all. */
  after: number | undefined;
  /** The language that the request names, which the links keep. */
  lang: string | undefined;
}

/** Returns the part of the list of files that a request asks for. */
export function placeOf({ query }: FastifyRequest): Place {
  const { folder, from, after, lang } = query as Partial<Place>;
  return { folder, from, after, lang };
}

/** Whether a request asks for the page with the beginning of the list. */
export function isFirstPage({ folder, from, after }: Place): boolean {
  return folder === undefined && from === undefined && after === undefined;
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
  described: ExportInput,
  place: Place,
): Promise<ShownFiles> {
  if (version.reader.noFiles !== null) return "closed";
  try {
    const isCounted = await areFoldersRecorded(context, version);
    return isCounted
      ? await countedFolder(context, version, described, place)
      : await uncountedFolder(context, version, described, place);
  } catch (error) {
    if (isUnreadable(error)) return "unreadable";
    throw error;
  }
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
  described: ExportInput,
  place: Place,
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
  const addresses = addressesOf(described, place.lang);
  const link = addresses.folder;
  const position = objects.length > files.length ? files.at(-1)?.position : undefined;
  return {
    ...shownFolder(path, folder, link),
    folders: shownFolders.map(({ name, files: count, bytes }) => {
      const url = link(`${path}${name}/`);
      return { name, files: count, bytes, url, zip: addresses.file(`${path}${name}/`) };
    }),
    files: files.map((file) => shownFile(file, addresses, path.length)),
    isFirst: place.from === undefined && after === undefined,
    next: nextOf(path, link, { from: nextFolder, after: position }),
  };
}

/** A page of all files in a folder and below it, while the folders of the version are not recorded. */
async function uncountedFolder(
  context: HttpContext,
  version: Version,
  described: ExportInput,
  place: Place,
): Promise<ShownFolder> {
  const path = withSlash(place.folder ?? "");
  const { after } = place;
  const wanted = { prefix: PAYLOAD + path, after: after ?? -1 };
  const found = await firstOf(filesOf(context, version, wanted), ENTRIES + 1);
  if (found.length === 0 && path !== "") throw new MissingFolder(path);
  const files = fitting(found, (file) => file.path);
  const addresses = addressesOf(described, place.lang);
  const link = addresses.folder;
  const position = found.length > files.length ? files.at(-1)?.position : undefined;
  return {
    ...shownFolder(path, undefined, link),
    folders: [],
    files: files.map((file) => shownFile(file, addresses, path.length)),
    isFirst: after === undefined,
    next: nextOf(path, link, { after: position }),
  };
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
export function queryOf({ query }: Pick<ExportInput, "query">, { folder, from, after }: Place): string {
  return queryText(query, { folder, from, after });
}

function nextOf(path: string, link: FileAddresses["folder"], at: Position): string | undefined {
  return at.from === undefined && at.after === undefined ? undefined : link(path, at);
}

function shownFolder(
  path: string,
  counted: CountedFolder | undefined,
  link: FileAddresses["folder"],
): Pick<ShownFolder, "path" | "counted" | "above" | "start"> {
  const parts = path.split("/").slice(0, -1);
  const above = parts.map((name, index) => ({ name, url: link(`${parts.slice(0, index + 1).join("/")}/`) }));
  return { path, counted: counted && { files: counted.files, bytes: counted.bytes }, above, start: link("") };
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
    preview: isProbablyShown(path, mediaType) ? addresses.page(path) : undefined,
    mediaType,
  };
}
