import { randomId } from "../api/browser/storage.ts";
import { DraftStore } from "../metadata-form/drafts/draft-store.ts";
import {
  completeEntries,
  type Description,
  type MetadataEntries,
  newEntries,
} from "../metadata-form/entries/entries.ts";

/** The data source, as entered. It does not contain the credentials, so that they are never stored. */
export interface DataSource {
  kind: "bucket" | "upload";
  /** Id of the upload; empty for none. */
  upload: string;
  /** The number of its files when all had arrived; 0 while some are missing, also those that the service does not know yet. */
  uploadFiles: number;
  endpoint: string;
  region: string;
  bucket: string;
  /** How requests address the bucket; `auto` lets the service detect it. */
  style: "auto" | "path" | "host";
  anonymous: boolean;
  /** ARN of the role with which the service reads the bucket, instead of with an access key; empty for none. */
  roleArn: string;
  /** Whether the owner of the access key pays for requests and downloads. */
  requesterPays: boolean;
  prefix: string;
  /** Patterns, one per line. */
  include: string;
  exclude: string;
  /** Folder patterns to include, from check boxes. If there are any, other objects are excluded. */
  chosen: readonly string[];
  /** Folder patterns to exclude, from check boxes. */
  leftOut: readonly string[];
  /** Names of the checksum lists. Their texts are not stored. */
  lists: readonly string[];
  /** The folder to which the paths of the lists are relative; empty for the folder of the prefix. */
  base: string;
}

/** A new submission, as stored in the browser. */
export interface Draft extends MetadataEntries {
  dataSource: DataSource;
  /** Sent with the submission so that it is accepted only once. Changes with every change of the draft. */
  idempotencyKey: string;
  /** Whether a DOI is reserved with the submission. */
  reserveDoi?: boolean;
}

/** The entries of a draft. */
export type DraftEntries = Omit<Draft, "idempotencyKey">;

export const NO_KEYS = { accessKey: "", secretKey: "", sessionToken: "" };
/** The credentials of the bucket. They are kept in memory only, until the tab is closed. */
export type Keys = typeof NO_KEYS;

/** The texts of the checksum lists by their names. They are kept in memory only, until the tab is closed. */
export type Lists = ReadonlyMap<string, string>;
export const NO_LISTS: Lists = new Map();

/** A draft without entries. */
export function newDraft(): Draft {
  return {
    dataSource: {
      kind: "bucket",
      upload: "",
      uploadFiles: 0,
      endpoint: "",
      region: "",
      bucket: "",
      style: "auto",
      anonymous: false,
      roleArn: "",
      requesterPays: false,
      prefix: "",
      include: "",
      exclude: "",
      chosen: [],
      leftOut: [],
      lists: [],
      base: "",
    },
    ...newEntries(),
    idempotencyKey: randomId(),
  };
}

/** Whether the draft has no entries. */
export function isBlank(draft: Draft): boolean {
  return contentOf(draft) === contentOf(newDraft());
}

/** The entries as text, without the ids that the page has given them. */
function contentOf({ idempotencyKey: _, ...entries }: Draft): string {
  return JSON.stringify(entries, (name, value) => (name === "id" ? undefined : value));
}

/** The format of stored drafts. Drafts in another format are ignored. */
const FORM = 1;

/** A draft as the browser stores it: two members keep the names that they had in earlier versions of this page. */
interface StoredDraft extends Omit<Draft, "dataSource" | "description"> {
  where: DataSource;
  what: Description;
}

/** The store of the draft of a submission. Does not store blank drafts. */
export function draftStore(place: string): DraftStore<Draft> {
  return new DraftStore(place, {
    write: (draft) => (isBlank(draft) ? null : JSON.stringify({ form: FORM, draft: storedOf(draft) })),
    read: draftOf,
  });
}

function storedOf({ dataSource: where, description: what, ...others }: Draft): StoredDraft {
  return { where, what, ...others };
}

/** @throws if the text was not written by this page */
function draftOf(text: string): Draft | undefined {
  const kept = JSON.parse(text) as { form: number; draft: StoredDraft };
  if (kept.form !== FORM) return undefined;
  const { where, what, idempotencyKey, reserveDoi = false, ...others } = kept.draft;
  return {
    ...completeEntries({ ...others, description: what }),
    dataSource: { ...newDraft().dataSource, ...where },
    idempotencyKey,
    reserveDoi,
  };
}
