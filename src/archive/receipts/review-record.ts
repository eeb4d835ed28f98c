import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { Agreement, Place } from "../../publication/rules/publication.ts";
import type { PublicationMode, PublicationState } from "../../publication/rules/states.ts";

/**
 * A signed part of the history of a review (docs/package-format.md, “Review records”): who requested, decided and commented, and
 * the state afterwards. Each decision adds a record, which names the one before. Times are ISO 8601 in UTC.
 */
export interface ReviewRecord {
  /** From 1 on, for each version. */
  number: number;
  dataset: { id: string; version: number };
  /** Whether curators review requests. */
  mode: PublicationMode;
  publication: ReviewState;
  /** Number of the newest publication record of the version at that time; 0 if there was none. */
  publicationRecords: number;
  /** The DOIs that were chosen for the version and for the dataset. */
  dois: ChosenDoi[];
  /** Number of the newest entry in this record and those before it. */
  through: number;
  /** The entries since the previous record. */
  entries: ReviewEntry[];
  /** SHA-512 of the previous record's text. */
  previous?: string;
  issuedAt: string;
  issuer: { publisher: string; url: string };
}

/** The state of a publication after the entries. */
export interface ReviewState {
  state: PublicationState;
  since: string;
  /** The metadata revision that was requested, approved or published. */
  revision: number | null;
  requestedBy: string | null;
  requestedAt: string | null;
  agreement: Agreement | null;
  access: AccessKind;
  embargoDate: string | null;
  accessReason: string;
  publishOnApproval: boolean;
  showSource: boolean;
  /** Ids of the collections for which the owner asked; absent for none, and in records of earlier versions. */
  collections?: string[];
  assignee: string | null;
  approvedBy: string | null;
  approvedAt: string | null;
  /** SHA-512 of the inventory that was approved. */
  reviewed: string | null;
  publishedAt: string | null;
  withdrawn: { at: string; reason: string } | null;
}

/** A DOI that was chosen before the first request to DataCite. */
export interface ChosenDoi {
  doi: string;
  /** Whether it is for this version, or for all versions of the dataset. */
  for: "version" | "dataset";
  /** Whether it was chosen before publication was approved, so that its owner could use it. */
  reserved: boolean;
  /** Whether DataCite had created it. */
  hasDraft: boolean;
  /** Whether a request that makes it public may have been sent, or follows this record. */
  mayBePublic: boolean;
  createdAt: string;
}

/** An entry of the history, as the API shows it. */
export interface ReviewEntry {
  no: number;
  at: string;
  actor: string;
  action: string;
  state: PublicationState;
  comment: string;
  place: Place | null;
  answers: number | null;
  revision: number;
  data: object | null;
}
