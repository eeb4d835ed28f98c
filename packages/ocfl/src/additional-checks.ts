import type { OcflCode } from "./codes.ts";
import type { RegularFiles } from "./io/regular-files.ts";

/**
 * An additional code that a caller defines. As in the specification, the first letter distinguishes an error (E) from a
 * warning (W).
 */
export type AdditionalCode = `E${string}` | `W${string}`;

/** Adds a finding. `path` is relative to the object's folder or the storage root; empty for the whole of it. */
export type ReportFinding<Extra extends string> = (code: OcflCode | Extra, path: string, detail: string) => void;

/** An object whose inventory was parsed, as additional checks receive it. */
export interface ParsedObject {
  /** The object's folder; symbolic links and special files are never opened. */
  files: RegularFiles;
  /** Undefined if the inventory has none. */
  id: string | undefined;
  contentDirectory: string;
  /** The names of the versions in their order; invalid names are left out. */
  versions: readonly string[];
  /** Whether the inventory has a version of this name, also an invalid one. */
  hasVersion(name: string): boolean;
  /** Whether the manifest names this content path, for instance `v1/content/data/a`. */
  hasContent(contentPath: string): boolean;
}

/** Additional checks for the validation of an object. Every member is optional. */
export interface ObjectChecks<Extra extends string = never> {
  /** Runs first, also for an object whose inventory cannot be read. */
  begin?(report: ReportFinding<Extra>): void;
  /** Runs after the inventories and folders were checked and before the content is read. */
  check?(object: ParsedObject, report: ReportFinding<Extra>, signal: AbortSignal | undefined): Promise<void>;
  /** Whether a finding does not apply, for instance about files of a version that is still being written. */
  isExempt?(code: OcflCode | Extra, path: string): boolean;
}

/** Additional checks for the validation of a storage root. */
export interface StorageRootChecks<Extra extends string = never> {
  /** Runs after the root's own files were checked and before its objects are. */
  checkRoot?(files: RegularFiles, report: ReportFinding<Extra>): Promise<void>;
  /** The additional checks of one object. @param folder relative to the storage root */
  checksOf?(folder: string): ObjectChecks<Extra> | undefined;
}
