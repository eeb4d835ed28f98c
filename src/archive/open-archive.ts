import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { FolderStore, type Reserve } from "./folder/store.ts";
import { type ArchiveReader, FolderReader } from "./reader.ts";
import { jwksIn, type SmallFile } from "./receipts/jwks-file.ts";
import type { S3Location } from "./s3/layout.ts";
import type { S3LinksOptions } from "./s3/links.ts";
import type { ArchiveStore } from "./store.ts";

/** Requests at a time of whoever only reads. */
const READING = 16;

/** As the settings name it. */
export type ArchiveLocation =
  | { kind: "folder"; folder: string }
  | (Omit<S3Location, "ca"> & { kind: "s3"; caFile: string | undefined });

export interface OpenArchive {
  store: ArchiveStore;
  /** `jwks.json`. */
  jwks: SmallFile;
  /** What threads that store content are told; undefined for a folder. */
  s3: S3LinksOptions | undefined;
}

/**
 * Opens the archive, wherever it is kept, making it when it is not there.
 *
 * @param own.scratch for an archive in an object store: a folder in which each process makes one of its own
 * @throws Error that says what the operator has to mend
 */
export async function openArchive(
  place: ArchiveLocation,
  own: { reserve: Reserve; scratch: string },
): Promise<OpenArchive> {
  if (place.kind === "folder") {
    const store = await FolderStore.open(place.folder, own.reserve);
    return { store, jwks: jwksIn(place.folder), s3: undefined };
  }
  const { S3Store } = await import("./s3/store.ts");
  const { makeScratch } = await import("./s3/scratch.ts");
  const s3: S3LinksOptions = { place: await s3LocationOf(place), scratch: await makeScratch(own.scratch) };
  const store = await S3Store.open(s3.place, s3.scratch);
  return { store, jwks: store.jwks, s3 };
}

/** Opens an archive to be read alone; nothing is made where there is none. */
export async function openReader(
  place: ArchiveLocation,
  connections = READING,
): Promise<{ reader: ArchiveReader; close(): void }> {
  if (place.kind === "folder") return { reader: new FolderReader(place.folder), close: () => undefined };
  const { Bucket } = await import("./s3/bucket.ts");
  const { S3Reader } = await import("./s3/reader.ts");
  const bucket = await Bucket.open(await s3LocationOf(place), connections);
  return { reader: new S3Reader(bucket), close: () => bucket.close() };
}

/** Reads the file of the certificate authorities. */
export async function s3LocationOf({
  bucket,
  prefix,
  endpoint,
  region,
  accessKey,
  secretKey,
  caFile,
}: Extract<ArchiveLocation, { kind: "s3" }>): Promise<S3Location> {
  const place: S3Location = { bucket, prefix, endpoint, region, accessKey, secretKey };
  return caFile === undefined ? place : { ...place, ca: [...rootCertificates, await readFile(caFile, "utf8")] };
}

/** A place as people write it. */
export function describeLocation(place: ArchiveLocation): string {
  return place.kind === "folder" ? place.folder : `s3://${[place.bucket, place.prefix].filter(Boolean).join("/")}`;
}
