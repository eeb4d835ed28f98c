import type { S3Location } from "./s3/layout.ts";

/** The location of an archive, as the settings name it. */
export type ArchiveLocation = FolderLocation | S3ArchiveLocation;

/** The location of an archive in a file system. */
interface FolderLocation {
  kind: "folder";
  folder: string;
}

/** The location of an archive in an object store. */
export interface S3ArchiveLocation extends Omit<S3Location, "ca"> {
  kind: "s3";
  caFile: string | undefined;
}

/** Whether an archive is stored in a file system, where other programs can read it by path. */
export function isInFolder(place: ArchiveLocation): place is FolderLocation {
  return place.kind === "folder";
}

/** The location as the settings and messages write it. */
export function describeLocation(place: ArchiveLocation): string {
  return isInFolder(place) ? place.folder : `s3://${[place.bucket, place.prefix].filter(Boolean).join("/")}`;
}
