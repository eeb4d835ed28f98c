import type { AccessKind, MemberChange } from "../../../../packages/rules/src/index.ts";
import type { ExportInput } from "../../../describe/formats/export-input.ts";
import type { LocalText } from "../../../domain/collection.ts";
import type { Unpacking } from "../../../domain/keys-and-paths/unpacking.ts";
import type { Readme } from "../preview/readme.ts";
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
  /** The collections to which the dataset belongs. */
  collections: readonly { id: string; name: LocalText }[];
  /** Published versions, newest first. */
  versions: readonly ShownVersion[];
  /** Undefined for the first published version. */
  changes: VersionChanges | undefined;
  files: ShownFiles;
  /** The file that describes the folder that is shown. */
  readme: Readme | undefined;
  /** All files if they are few and open, for search engines; otherwise none. */
  few: readonly ShownFile[];
  /** The query of the address of the page, without its language; empty for none. */
  query: string;
  /** Whether the page is the one to which the DOI leads, and not another page of its files. */
  isFirstPage: boolean;
  /** Names that are not possible on every system; undefined if they were not examined. */
  unpacking: Unpacking | undefined;
  audit: { at: Date; isIntact: boolean } | undefined;
  /** Pages of the application. */
  links: { ask: string; manage: string; edit: string; newVersion: string };
  /** The address of the script that copies texts; undefined without it. */
  copy: string | undefined;
  /** The script that shows their tools to owners and curators, and where it learns whether the reader is one; undefined without it. */
  tools: { script: string; publication: string; application: string } | undefined;
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

export interface ShownFile {
  /** Its name in the folder that is shown. */
  name: string;
  /** Its whole path below `data/`. */
  path: string;
  bytes: number;
  sha512: string;
  /** Its bytes. */
  url: string;
  /** The page with its content; undefined if it can probably not be shown. */
  page: string | undefined;
  mediaType: string;
}

/** A page of a folder, or of the files that were searched for. */
export interface ShownFolder {
  /** Its path below `data/`, with a slash at the end; empty for the folder of all files. */
  path: string;
  /** What is in it and below it; undefined if it is not counted yet. Then the page has all files below it. */
  counted: { files: number; bytes: number } | undefined;
  /** The folders on the way to it, itself included. */
  above: readonly { name: string; url: string }[];
  /** The page of the folder of all files. */
  start: string;
  /** The folder as ZIP. */
  zip: string;
  /** The list of all files as CSV. */
  list: string;
  folders: readonly { name: string; path: string; files: number; bytes: number; url: string; zip: string }[];
  files: readonly ShownFile[];
  isFirst: boolean;
  next: string | undefined;
  /** The form that searches file names; undefined if all files are on the page. */
  search: FileSearch | undefined;
  /** The name of the folder with the objects whose keys are not valid paths, if it is on the page or around it. */
  renamed: string | undefined;
}

/** A form that searches file names. */
export interface FileSearch {
  action: string;
  keeps: readonly [name: string, value: string][];
  /** What was searched for; empty for nothing. */
  find: string;
  /** The first page of what was found; undefined if nothing was searched for. */
  first: string | undefined;
  /** Whether the paths begin with it, because there are too many files to look at all. */
  isBeginning: boolean;
}

/** The folder that was asked for does not exist. */
export interface NoFolder {
  missing: string;
  start: string;
}

/** A part of the list of files; `closed` if the reader may not see it, `unreadable` if the archive cannot be read now. */
export type ShownFiles = ShownFolder | NoFolder | "closed" | "unreadable";
