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
