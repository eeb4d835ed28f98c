import type { FastifyRequest } from "fastify";
import { filesIn, findFolder, foldersIn, recordFolders } from "../../db/chunks/folders.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { type ApplicationAddresses, addressesOf, type FileAddresses, queryText } from "../../public/site/addresses.ts";
import type { ShownFile, ShownFiles, ShownFolder } from "../../public/site/landing/shown.ts";
import type { HttpContext } from "../context.ts";
import { mediaTypeOf } from "../dataset/dataset-file.ts";
import { fileOf, filesOf, firstOf, isUnreadable, PAYLOAD, serviceFiles } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";
import { isSmall } from "../dataset/unpacking.ts";
import { ENTRIES, fitting, type Place, pageOf, type Showing, shownFile, shownFolder } from "./files-page.ts";
import { foundFiles } from "./find-files.ts";

/** Search engines skip pages that describe many files. */
const FEW = 20;
/** Returns the part of the list of files that a request asks for. */
export function placeOf({ query }: FastifyRequest): Place {
  const { folder, from, after, find } = query as Partial<Place>;
  return { folder, from, after, find: find?.trim() || undefined };
}

/** Whether a request asks for the page with the beginning of the list. */
export function isFirstPage(place: Place): boolean {
  return Object.values(place).every((value) => value === undefined);
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

/** The query of the address of a page, without its language. */
export function queryOf({ query }: Pick<ExportInput, "query">, place: Place): string {
  return queryText(query, { ...place });
}
