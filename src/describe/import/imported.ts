import type { Metadata } from "../metadata/schema.ts";

/** A part of a metadata file that was not used. */
export interface ImportRemark {
  /** A JSON pointer, or a line such as `line 12`. */
  place: string;
  message: string;
}

/** The result of reading a metadata file. */
export interface Imported {
  /** Members of the metadata in the form that a client sends. `checkMetadata` accepts each of them. */
  values: Partial<Metadata>;
  remarks: ImportRemark[];
}
