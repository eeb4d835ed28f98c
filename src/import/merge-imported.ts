import type { Metadata } from "../domain/metadata/schema.ts";
import { type FileKind, fileKinds } from "./file-kinds.ts";
import type { Imported } from "./imported.ts";

/** A metadata file that was read. */
export interface ImportedFile {
  path: string;
  kind: FileKind;
  imported: Imported;
}

/**
 * Combines the values of several files: each member comes from the first file that has it, in the order of {@link fileKinds}
 * and then of the paths. `sources` has the path of that file for each member.
 */
export function mergeImported(files: readonly ImportedFile[]): {
  values: Partial<Metadata>;
  sources: Partial<Record<keyof Metadata, string>>;
} {
  const rank = ({ kind }: ImportedFile) => fileKinds.indexOf(kind);
  const ordered = files.toSorted((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const { path, imported } of ordered) {
    for (const [member, value] of Object.entries(imported.values)) {
      if (Object.hasOwn(values, member)) continue;
      values[member] = value;
      sources[member] = path;
    }
  }
  return { values, sources };
}
