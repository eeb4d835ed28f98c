import type { Metadata } from "../metadata/schema.ts";
import { byPrecedence, type FileKind } from "./file-kinds.ts";

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

/** A metadata file that was read. */
export interface ImportedFile {
  /** The key of the object, or the name of the file. */
  key: string;
  kind: FileKind;
  imported: Imported;
}

/**
 * Combines the values of several files: each member comes from the first file that has it, in the order of {@link byPrecedence}.
 * `sources` has the key of that file for each member.
 */
export function mergeImported(files: readonly ImportedFile[]): {
  values: Partial<Metadata>;
  sources: Partial<Record<keyof Metadata, string>>;
} {
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const { key, imported } of files.toSorted(byPrecedence)) {
    for (const [member, value] of Object.entries(imported.values)) {
      if (Object.hasOwn(values, member)) continue;
      values[member] = value;
      sources[member] = key;
    }
  }
  return { values, sources };
}
