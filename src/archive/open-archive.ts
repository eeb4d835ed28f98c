import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { COLLECTIONS } from "./collections-file.ts";
import type { CopyTarget } from "./copying/copy-target.ts";
import type { Reserve } from "./folder/free-space.ts";
import { FolderStore } from "./folder/store.ts";
import { finishPublications as finishInFolder } from "./folder/versions.ts";
import { type ArchiveLocation, isInFolder, type S3ArchiveLocation } from "./location.ts";
import { type ArchiveReader, FolderReader } from "./reader.ts";
import { JWKS } from "./receipts/jwks-file.ts";
import type { S3Location } from "./s3/layout.ts";
import type { S3LinksOptions } from "./s3/links.ts";
import { fileIn, type SmallFile } from "./small-file.ts";
import type { ArchiveStore } from "./store.ts";

/** Concurrent requests of a reader. */
const READING = 16;

export interface OpenArchive {
  store: ArchiveStore;
  /** `jwks.json`. */
  jwks: SmallFile;
  /** `collections.json`. */
  collections: SmallFile;
  /** The object store, for the threads that store content; undefined for a folder. */
  s3: S3LinksOptions | undefined;
}

/**
 * Opens the archive, and creates it if it does not exist.
 *
 * @param own.id the id of the archive with which the database was used before
 * @param own.scratch for an archive in an object store: a folder in which each process makes a separate one
 * @throws Error that says what the operator must correct
 */
export async function openArchive(
  place: ArchiveLocation,
  own: { reserve: Reserve; scratch: string; id: string | undefined },
): Promise<OpenArchive> {
  if (isInFolder(place)) {
    const store = await FolderStore.open(place.folder, own.reserve, own.id);
    const { folder } = place;
    return { store, jwks: fileIn(folder, JWKS), collections: fileIn(folder, COLLECTIONS), s3: undefined };
  }
  const { S3Store } = await import("./s3/store.ts");
  const { makeScratch } = await import("./s3/scratch.ts");
  const s3: S3LinksOptions = { place: await s3LocationOf(place), scratch: await makeScratch(own.scratch) };
  const store = await S3Store.open(s3.place, s3.scratch, { known: own.id });
  return { store, jwks: store.file(JWKS), collections: store.file(COLLECTIONS), s3 };
}

/** Opens an archive for reading. Creates nothing. */
export async function openReader(
  place: ArchiveLocation,
  connections = READING,
): Promise<{ reader: ArchiveReader; close(): void }> {
  if (isInFolder(place)) return { reader: new FolderReader(place.folder), close: () => undefined };
  const { Bucket } = await import("./s3/bucket.ts");
  const { S3Reader } = await import("./s3/reader.ts");
  const bucket = await Bucket.open(await s3LocationOf(place), connections);
  return { reader: new S3Reader(bucket), close: () => bucket.close() };
}

/** Opens an archive, which need not exist, as the target of a copy. */
export async function openCopyTarget(place: ArchiveLocation): Promise<CopyTarget> {
  if (isInFolder(place)) {
    const { FolderTarget } = await import("./copying/copy-target.ts");
    return new FolderTarget(place.folder);
  }
  const { S3Target } = await import("./s3/copy-target.ts");
  return S3Target.open(await s3LocationOf(place));
}

/**
 * Completes the publications that were committed and then interrupted, without the database. In an object store the
 * datasets that are not visible remain so. No process may write to the archive meanwhile.
 */
export async function finishPublications(place: ArchiveLocation): Promise<void> {
  if (isInFolder(place)) await finishInFolder(place.folder);
}

/** Reads the file of the certificate authorities. */
export async function s3LocationOf({ kind: _, caFile, ...place }: S3ArchiveLocation): Promise<S3Location> {
  return caFile === undefined ? place : { ...place, ca: [...rootCertificates, await readFile(caFile, "utf8")] };
}
