import { join, resolve, sep } from "node:path";
import { SettingError } from "./parse.ts";

/** The location of the archive: a folder, or a bucket and a prefix that is empty or ends without a slash. */
export type ArchiveSetting =
  | { kind: "folder"; folder: string }
  | {
      kind: "s3";
      bucket: string;
      prefix: string;
      /** Undefined: Amazon's endpoint of the region. */
      endpoint: string | undefined;
      region: string;
      credentials: { accessKey: string; secretKey: string };
      caFile: string | undefined;
    };

/** Keys have at most 1,024 bytes. After this prefix and the longest path of the archive, most remain for the submitters' keys. */
const LONGEST_PREFIX = 200;

/** The folders of an archive that may only contain the archive's files. */
const ARCHIVE_FOLDERS = ["ocfl", "staging", "withdrawn"] as const;

/** What is wrong if the data folder is inside one of the archive's own folders. */
export function dataFolderProblems(data: string, archive: ArchiveSetting): string[] {
  if (archive.kind !== "folder") return [];
  const part = ARCHIVE_FOLDERS.find((name) => `${data}${sep}`.startsWith(`${join(archive.folder, name)}${sep}`));
  if (part === undefined) return [];
  return [
    `ACCESSION_DATA is inside the folder “${part}” of ACCESSION_ARCHIVE, which may only contain datasets. Choose a different folder`,
  ];
}

/** A folder, or the bucket and prefix of an object store, whose other settings are separate. */
export function parseArchive(
  text: string,
): { kind: "folder"; folder: string } | { kind: "bucket"; bucket: string; prefix: string } {
  if (!text.startsWith("s3://")) return { kind: "folder", folder: resolve(text) };
  const [bucket = "", ...rest] = text.slice("s3://".length).replace(/\/$/, "").split("/");
  const isSound =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) && rest.every((part) => /^(?!\.{1,2}$)[\w!.'()-]+$/.test(part));
  if (!isSound || rest.join("/").length > LONGEST_PREFIX) {
    throw new SettingError(
      "is not a location such as s3://bucket/prefix (the prefix may contain letters, digits and ! _ . ' ( ) -)",
    );
  }
  return { kind: "bucket", bucket, prefix: rest.join("/") };
}

/** The URL of an object store. */
export function parseEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare =
    url !== undefined && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!isBare || !/^https?:$/.test(url.protocol)) throw new SettingError("is not a URL such as https://s3.example.org");
  return text.replace(/\/$/, "");
}
