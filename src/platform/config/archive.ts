import { join, resolve, sep } from "node:path";
import { SettingError } from "./parse.ts";
import { PREFIX, type Read, type SettingName } from "./settings.ts";

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

const s3Settings = [
  "ARCHIVE_S3_ENDPOINT",
  "ARCHIVE_S3_REGION",
  "ARCHIVE_S3_ACCESS_KEY",
  "ARCHIVE_S3_SECRET_KEY",
  "ARCHIVE_S3_CA_FILE",
] as const satisfies readonly SettingName[];

/** Keys have at most 1,024 bytes. After this prefix and the longest path of the archive, most remain for the submitters' keys. */
const LONGEST_PREFIX = 200;

export function archiveOf(read: Read, folder: string): ArchiveSetting {
  const text = (value: string) => value;
  const place = read<ArchiveSetting | { kind: "bucket"; bucket: string; prefix: string }>(
    "ARCHIVE",
    { kind: "folder", folder },
    parseArchive,
  );
  const s3 = {
    endpoint: read<string | undefined>("ARCHIVE_S3_ENDPOINT", undefined, parseEndpoint),
    region: read("ARCHIVE_S3_REGION", "us-east-1", text),
    credentials: {
      accessKey: read("ARCHIVE_S3_ACCESS_KEY", "", text),
      secretKey: read("ARCHIVE_S3_SECRET_KEY", "", text),
    },
    caFile: read<string | undefined>("ARCHIVE_S3_CA_FILE", undefined, (file) => resolve(file)),
  };
  return place.kind === "bucket" ? { ...place, ...s3, kind: "s3" } : place;
}

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

/** What is wrong with the settings of the object store. An archive in a folder does not use them, so they must not be set. */
export function archiveProblems({ kind }: ArchiveSetting, environment: NodeJS.ProcessEnv): string[] {
  const isSet = (name: SettingName) => (environment[PREFIX + name]?.trim() ?? "") !== "";
  if (kind === "s3") {
    return (["ARCHIVE_S3_ACCESS_KEY", "ARCHIVE_S3_SECRET_KEY"] as const)
      .filter((name) => !isSet(name))
      .map((name) => `${PREFIX}${name} is mandatory with ACCESSION_ARCHIVE=s3://…`);
  }
  return s3Settings.filter(isSet).map((name) => `${PREFIX}${name} is only used with ACCESSION_ARCHIVE=s3://…`);
}

function parseArchive(
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

function parseEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare =
    url !== undefined && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!isBare || !/^https?:$/.test(url.protocol)) throw new SettingError("is not a URL such as https://s3.example.org");
  return text.replace(/\/$/, "");
}
