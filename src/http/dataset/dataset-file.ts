import type { StoredFile } from "../../export/contents.ts";

/** A file of a dataset, as the API lists it. */
export interface DatasetFile extends StoredFile {
  /** Position in the list of files. Files that Accession created come first and have negative positions. */
  position: number;
  contentType: string | null;
  lastModified: string | null;
  verifiedBy: string | null;
  verifiedWith: string | null;
  /** Digests that the source stated, and that matched the bytes. Lower-case hex. */
  proven: { sha256?: string; md5?: string };
}

/** Returns the media type that the source stated, or `application/octet-stream` if it is not a valid one. */
export function mediaTypeOf({ contentType }: Pick<DatasetFile, "contentType">): string {
  const type = contentType?.trim() ?? "";
  return MEDIA_TYPE.test(type) && !/^multipart\//i.test(type) ? type : "application/octet-stream";
}

/**
 * The media type with which a file is sent. Scripts and style sheets are plain text, so that a browser never runs or applies those of a
 * dataset in a page of this service, whatever the page contains (with `nosniff`: WHATWG Fetch, section 3.6).
 */
export function sentTypeOf(file: Pick<DatasetFile, "contentType">): string {
  return mediaTypeOf(file).replace(ACTIVE, "text/plain");
}

/** JavaScript by all its names (WHATWG MIME Sniffing, section 4.6), and CSS. */
const ACTIVE = /^[^;/]+\/(?:[^;]*(?:java|ecma|j|live)script[0-9.]*|css)(?=\s*;|$)/i;
const TOKEN = "[A-Za-z0-9!#$&^_.+-]{1,100}";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:\\s*;\\s*charset=[A-Za-z0-9._-]{1,40})?$`);
