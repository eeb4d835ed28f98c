import { createHash } from "node:crypto";
import type { ByteRange } from "../archive/reader.ts";
import { isFieldFile, type ServiceFile } from "../archive/service-files.ts";
import { crateWithoutManifest } from "../describe/formats/ro-crate/ro-crate.ts";
import { Problem } from "../domain/problems.ts";

export type { ByteRange } from "../archive/reader.ts";

/** A file of a dataset, and the location of its bytes. Plain data, so that it can be sent to a thread. */
export interface StoredFile {
  /** Logical path. */
  path: string;
  bytes: number;
  /** Lower-case hex. */
  sha512: string;
  /** Relative to the dataset's folder in the archive. */
  contentPath: string;
  /** Milliseconds since 1970. */
  modified: number;
  /** Size and digest of the archived file, if readers get a reduced form of it (`publicBytes`). */
  archived?: { bytes: number; sha512: string };
}

/** What is read of a file. */
type Read = Omit<StoredFile, "modified">;

/** A file with its content. The content fails if it differs from the archived bytes. */
export interface OpenFile extends StoredFile {
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A dataset's folder in the archive. */
export interface Folder {
  /** As `ArchiveReader.read`. */
  read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

/** Files up to this size are read ahead completely, so that a slow store does not delay every file. */
const SMALL_BYTES = 256 << 10;
const AHEAD = 16;

/**
 * The bytes of a file, whose digest is verified while they pass. The last piece is returned only after the digest
 * matched, so that a damaged file is never complete.
 *
 * @throws Problem `content_damaged`, `archive_unreadable`
 */
export async function* verified(folder: Folder, file: Read): AsyncGenerator<Uint8Array> {
  if (file.archived !== undefined) {
    yield await reducedBytes(folder, file, file.archived);
    return;
  }
  const hash = createHash("sha512");
  let bytes = 0;
  let held: Uint8Array | undefined;
  for await (const piece of piecesOf(folder, file)) {
    if (held !== undefined) yield held;
    held = piece;
    hash.update(piece);
    bytes += piece.length;
    if (bytes > file.bytes) break;
  }
  if (bytes !== file.bytes || hash.digest("hex") !== file.sha512) {
    throw new Problem(
      "content_damaged",
      `“${file.path}” was changed in the archive: its bytes do not match its digest`,
    );
  }
  if (held !== undefined) yield held;
}

/** A range of a file, for which only the number of bytes can be verified. @throws Problem as {@link verified} */
export async function* part(folder: Folder, file: Read, range: ByteRange): AsyncGenerator<Uint8Array> {
  if (file.archived !== undefined) {
    const whole = await reducedBytes(folder, file, file.archived);
    yield whole.subarray(range.from, range.to);
    return;
  }
  let left = range.to - range.from;
  for await (const piece of piecesOf(folder, file, range)) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0)
    throw new Problem("content_damaged", `“${file.path}” does not have its original length in the archive`);
}

/** The reduced form of an archived file, which is small enough for the memory. @throws Problem as {@link verified} */
async function reducedBytes(
  folder: Folder,
  { path, contentPath }: Pick<Read, "path" | "contentPath">,
  archived: NonNullable<StoredFile["archived"]>,
): Promise<Buffer> {
  const pieces = await Array.fromAsync(verified(folder, { path, contentPath, ...archived }));
  return publicBytes(path, Buffer.concat(pieces));
}

/** How the public gets a file that the service made: as it is archived, or in a reduced form. */
type Form = "archived" | ((archived: string) => string);

/**
 * The files that the public gets of those that the service made, unless the owner shows the source. None of them contains
 * details of the source, the submission or accounts. All other files are left out, such as the source manifest.
 */
const PUBLIC_DOCUMENTS: Readonly<Record<string, Form>> = {
  "metadata/datacite.json": "archived",
  "metadata/datacite.xml": "archived",
  "metadata/submission.json": onlyMetadata,
  "ro-crate-metadata.json": crateWithoutManifest,
};

/** How the public gets the file with this logical path; undefined if it does not get it. */
function publicFormOf(path: string): Form | undefined {
  if (Object.hasOwn(PUBLIC_DOCUMENTS, path)) return PUBLIC_DOCUMENTS[path];
  return isFieldFile(path) ? "archived" : undefined;
}

/** The bytes that the public gets of a file with this logical path. */
function publicBytes(path: string, archived: Buffer): Buffer {
  const form = publicFormOf(path);
  return typeof form === "function" ? Buffer.from(form(archived.toString("utf8"))) : archived;
}

/** `metadata/submission.json` without the source and the submission. */
function onlyMetadata(archived: string): string {
  const { dataset, metadata } = JSON.parse(archived) as Record<string, unknown>;
  return `${JSON.stringify({ dataset, metadata }, null, 2)}\n`;
}

/** A file that the service made, as readers get it. */
export type ServedFile = ServiceFile & Pick<StoredFile, "archived">;

/**
 * Those of the service's files of a version that the public gets, with the sizes and digests of what it gets.
 * @throws Problem as {@link verified}
 */
export async function publicFiles(folder: Folder, files: readonly ServiceFile[]): Promise<ServedFile[]> {
  const served: ServedFile[] = [];
  for (const file of files) {
    const form = publicFormOf(file.path);
    if (form === undefined) continue;
    served.push(form === "archived" ? file : await reduced(folder, file));
  }
  return served;
}

async function reduced(folder: Folder, file: ServiceFile): Promise<ServedFile> {
  const archived = { bytes: file.bytes, sha512: file.sha512 };
  const content = await reducedBytes(folder, file, archived);
  const sha512 = createHash("sha512").update(content).digest("hex");
  return { ...file, bytes: content.length, sha512, archived };
}

/** Opens files in order. Small files are read several files ahead. */
export async function* opened(folder: Folder, files: AsyncIterable<StoredFile>): AsyncGenerator<OpenFile> {
  const waiting: OpenFile[] = [];
  for await (const file of files) {
    waiting.push({ ...file, content: file.bytes > SMALL_BYTES ? verified(folder, file) : ahead(folder, file) });
    if (waiting.length === AHEAD) yield waiting.shift() as OpenFile;
  }
  yield* waiting;
}

/** Starts to read at once. */
function ahead(folder: Folder, file: StoredFile): AsyncIterable<Uint8Array> {
  const reading = Array.fromAsync(verified(folder, file));
  // The reader of this file receives its error. It may not be read any more.
  reading.catch(() => undefined);
  return (async function* () {
    yield* await reading;
  })();
}

async function* piecesOf(folder: Folder, file: Read, range?: ByteRange): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of await folder.read(file.contentPath, range)) yield piece;
  } catch (error) {
    throw unreadable(file.path, error);
  }
}

/**
 * The Problem for a failed read of an archived file. Its detail is for anyone: the names of bucket and server, and what they answer, are
 * only in its cause, which the log has.
 */
export function unreadable(path: string, cause: unknown): Problem {
  const { code } = cause as { code?: string };
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new Problem("content_damaged", `“${path}” is missing in the archive`, { cause });
  }
  const why = cause instanceof Problem || code === undefined ? "" : ` (${code})`;
  return new Problem("archive_unreadable", `“${path}” cannot be read${why}`, { cause });
}
