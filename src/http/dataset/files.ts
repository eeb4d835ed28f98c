import { everyFile } from "../../db/chunks/files.ts";
import { findFolder } from "../../db/chunks/folders.ts";
import { contentPathOf, type ObjectRecord, pathOfObject } from "../../db/chunks/objects.ts";
import { objectsOfKeys } from "../../db/chunks/unordered-keys.ts";
import { keyOf, markerFor } from "../../domain/keys-and-paths/path.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { requireCursor } from "../responses/paging.ts";
import type { DatasetFile } from "./dataset-file.ts";
import { orderOf, type Version } from "./readable-version.ts";

/** A position before all files. */
export const BEGINNING = -1_000;

/** Yields the files after a position, in batches. @throws Problem as `ExportThreads.open` */
export async function* filesOf(
  context: HttpContext,
  version: Version,
  { prefix = "", after = BEGINNING }: { prefix?: string | undefined; after?: number } = {},
): AsyncGenerator<DatasetFile[]> {
  if (after < -1 && !prefix.startsWith(PAYLOAD)) {
    const own = await serviceFiles(context, version);
    const wanted = own.filter(({ path, position }) => position > after && path.startsWith(prefix));
    if (wanted.length > 0) yield wanted;
  }
  const { id, attempt } = version.submission;
  const filter = { state: "stored" as const, prefix, after: Math.max(after, -1) };
  for await (const objects of everyFile(context.db, id, attempt, filter))
    yield objects.map((object) => fileOf(object, version));
}

/** The folder of the objects of the bucket. */
export const PAYLOAD = "data/";

/** Returns the file with this path; undefined if none. @throws Problem as `ExportThreads.open` */
export async function findFile(context: HttpContext, version: Version, path: string): Promise<DatasetFile | undefined> {
  if (!path.startsWith(PAYLOAD)) return (await serviceFiles(context, version)).find((file) => file.path === path);
  const { id, attempt } = version.submission;
  const key = keyOfPath(path, markerOf(version));
  if (key === undefined) return undefined;
  return context.archived.file(version.submission, path, async () => {
    const found = await objectsOfKeys(context.db, id, attempt, [key]);
    const object = found.find((one) => one.state === "stored" && pathOfObject(one) === path);
    return object && fileOf(object, version);
  });
}

/** Returns the name of the folder for odd keys in a version. */
export function markerOf({ submission: { marker_run: run } }: Version): string {
  return markerFor(run < 0 ? [] : [`%keys${"%".repeat(run)}`]);
}

/** Whether an error states that archived files cannot be read now. Answers that do not need the files leave them out. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Problem && (error.code === "archive_unreadable" || error.code === "content_damaged");
}

/** The first files, in order. */
export async function firstOf(found: AsyncIterable<DatasetFile[]>, most: number): Promise<DatasetFile[]> {
  const first: DatasetFile[] = [];
  for await (const files of found) {
    first.push(...files);
    if (first.length >= most) break;
  }
  return first.slice(0, most);
}

/** The cursor that continues after a file. */
export function writePosition({ position }: DatasetFile): string {
  return String(position);
}

/** The position in a cursor of a list of files. @throws Problem `bad_request` */
export function positionIn(cursor: string): number {
  return Number(requireCursor(cursor, /^-?\d{1,15}$/));
}

/** Whether the folder contains a file. */
export async function isFolder(context: HttpContext, version: Version, folder: string): Promise<boolean> {
  const { id, attempt } = version.submission;
  const recorded = (path: string) => findFolder(context.db, id, attempt, path);
  if (folder.startsWith(PAYLOAD) && ((await recorded(""))?.files ?? 0) > 0) {
    return (await recorded(folder.slice(PAYLOAD.length))) !== undefined;
  }
  for await (const _ of filesOf(context, version, { prefix: folder })) return true;
  return false;
}

/** The first bytes of a file, up to `most`. @throws Problem as `ExportThreads.open` */
export async function beginningOf(
  { exports }: HttpContext,
  version: Version,
  file: DatasetFile,
  most: number,
): Promise<Buffer> {
  if (file.bytes === 0) return Buffer.alloc(0);
  const range = file.bytes > most ? { range: { from: 0, to: most } } : {};
  const content = await exports.open({ kind: "file", ...orderOf(version), file, ...range });
  return Buffer.concat(await content.toArray());
}

function keyOfPath(path: string, marker: string): string | undefined {
  try {
    return keyOf(path, marker);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A stored object of the bucket as a file. */
export function fileOf(object: ObjectRecord, { dataOcflVersion }: Version): DatasetFile {
  const { contentType } = (object.responseMetadata ?? {}) as ResponseMetadata;
  return {
    position: object.seq,
    path: pathOfObject(object),
    bytes: object.bytes,
    sha512: object.sha512 ?? "",
    contentPath: contentPathOf(object, dataOcflVersion),
    modified: Date.parse(object.lastModified ?? ""),
    contentType: contentType ?? null,
    lastModified: object.lastModified,
    verifiedBy: object.verifiedBy,
    verifiedWith: object.verifiedWith,
    proven: provenDigests(object),
  };
}

interface ResponseMetadata {
  contentType?: string;
  checksums?: Record<string, string>;
}

/** Checksums of a multipart upload are digests of its parts, and end with their number. */
const SHA256 = /^[A-Za-z0-9+/]{43}=$/;
const MD5 = /^"([0-9a-f]{32})"$/i;

function provenDigests({ etag, verifiedBy, verifiedWith, etagIsDigest, responseMetadata, stated }: ObjectRecord) {
  const { checksums } = (responseMetadata ?? {}) as ResponseMetadata;
  const ofSource = SHA256.exec((verifiedWith === "sha256" && checksums?.sha256) || "")?.[0];
  const sha256 = stated?.sha256 ?? (ofSource && Buffer.from(ofSource, "base64").toString("hex"));
  const md5 = stated?.md5 ?? MD5.exec(((verifiedBy === "md5" || etagIsDigest) && etag) || "")?.[1]?.toLowerCase();
  return { ...(sha256 !== undefined && { sha256 }), ...(md5 !== undefined && { md5 }) };
}

/** The files that the service has added to a version, in order. @throws Problem as `ExportThreads.open` */
export async function serviceFiles({ exports }: HttpContext, version: Version): Promise<DatasetFile[]> {
  const { archivedAt } = version;
  const files = await exports.serviceFiles({ ...orderOf(version), isPublic: !version.reader.seesSource });
  return files.map((file, index) => ({
    position: index - files.length - 1,
    ...file,
    modified: archivedAt.getTime(),
    contentType: OWN_TYPES[file.path.split(".").at(-1) ?? ""] ?? null,
    lastModified: archivedAt.toISOString(),
    verifiedBy: null,
    verifiedWith: null,
    proven: {},
  }));
}

const OWN_TYPES: Record<string, string> = {
  json: "application/json",
  jsonl: "application/jsonl",
  xml: "application/xml",
};
