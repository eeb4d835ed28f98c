import type { AccessKind, MemberChange } from "../../../../packages/rules/src/index.ts";
import type { ExportInput } from "../../../describe/formats/export-input.ts";
import type { Unpacking } from "../../../domain/keys-and-paths/unpacking.ts";
import type { Language } from "../site.ts";

/** A typed link for programs (RFC 8288). */
export interface TypedLink {
  rel: string;
  href: string;
  /** Media type. */
  type?: string;
  /** The URI of the format, if its media type is not specific enough. */
  profile?: string;
}

/** What the landing page of a published version shows. */
export interface Landing {
  described: ExportInput;
  /** The links for programs in the head. */
  signposting: readonly TypedLink[];
  language: Language;
  /** Access to the files now. */
  access: AccessKind;
  embargoDate: string | null;
  /** Whether the registration of the DOI is not confirmed yet. */
  isRegistering: boolean;
  publishedAt: Date;
  /** When the metadata were last changed after archiving; undefined if they never were. */
  revisedAt: Date | undefined;
  /** Published versions, newest first. */
  versions: readonly ShownVersion[];
  /** Undefined for the first published version. */
  changes: VersionChanges | undefined;
  files: ShownFiles;
  /** Names that are not possible on every system; undefined if they were not examined. */
  unpacking: Unpacking | undefined;
  audit: { at: Date; isIntact: boolean } | undefined;
  /** Pages of the application. */
  links: { ask: string; manage: string };
  /** The address of the signed publication record; undefined if there is none yet. */
  record: string | undefined;
  usage: { views: number; downloads: number } | undefined;
  /** Files of the script that compares a copy with the dataset; undefined without it. */
  compare: { script: string; styles: readonly string[] } | undefined;
}

export interface ShownVersion {
  number: number;
  publishedAt: Date;
  objects: number;
  bytes: number;
  identifier: string | null;
}

/** What differs from the published version `since`. */
export interface VersionChanges {
  since: number;
  /** Undefined if it is not known. */
  files: ChangedFiles | undefined;
  members: readonly MemberChange[];
}

/** Numbers of files, and names of some of them if they may be shown. */
export interface ChangedFiles
  extends Record<"added" | "changed" | "removed", { total: number; names: readonly string[] }> {
  /** Files that are the same. */
  kept: number;
}

/** A part of the list of files; `closed` if the reader may not see it, `unreadable` if the archive cannot be read now. */
export type ShownFiles =
  | {
      files: readonly { path: string; bytes: number; sha512: string; url: string; mediaType: string }[];
      isFirst: boolean;
      next: string | undefined;
    }
  | "closed"
  | "unreadable";
