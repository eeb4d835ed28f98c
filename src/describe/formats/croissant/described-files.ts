/** A file as formats describe it that list the files. */
export interface DescribedFile {
  /** Below `data/`. */
  path: string;
  bytes: number;
  mediaType: string;
  url: string;
  /** Lower-case hex. MD5 and SHA-256 are known if the source stated one of them, and it matched the bytes. */
  digests: { sha512: string; sha256?: string; md5?: string };
  /** The titles of the columns of a table; undefined if the file is none. */
  columns?: readonly string[];
}

/** The files of a version. Undefined members are not public, or too many. */
export interface DescribedFiles {
  all: readonly DescribedFile[] | undefined;
  /** Of all files. */
  mediaTypes: readonly string[];
}
