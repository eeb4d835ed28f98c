import type { ColumnType, Generated } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { AccountProblem } from "../../publication/rules/account-test.ts";
import type { Agreement, Place, RecordKind, RegistrationProblem } from "../../publication/rules/publication.ts";
import type { PublicationState } from "../../publication/rules/states.ts";
import type { UncertainRequest } from "../../publication/rules/uncertain-requests.ts";
import type { Timestamp } from "./columns.ts";

type Json<T> = ColumnType<T | null, string | null, string | null>;

/** The publication of a dataset version. A version without a row is private. */
export interface PublicationTable {
  dataset_id: string;
  version: number;
  state: PublicationState;
  /** Since when it has this state. */
  since: Timestamp;
  /** Number of changes, also of those that keep the state; part of the ETag. */
  changes: number;
  /** The metadata revision that was requested, then approved, then published. */
  revision: number | null;
  requested_by: string | null;
  requested_at: Timestamp | null;
  /** The deposit agreement as it was accepted. */
  agreement: Json<Agreement>;
  access: AccessKind;
  /** `YYYY-MM-DD`, UTC. */
  embargo_date: string | null;
  /** Day on which a change of access opened the files, `YYYY-MM-DD`; null if they are open since publication, or closed. */
  opened_on: string | null;
  /** Why the access is embargoed or restricted; may be empty. */
  access_reason: string;
  publish_on_approval: boolean;
  /** Whether the public sees where the data came from: bucket, endpoint, selection and source manifest. */
  show_source: boolean;
  /** Ids of the collections for which the owner asked with the last request. */
  collections: string[];
  /** The curator who reviews it; also one who has lost the role since. */
  assignee: string | null;
  approved_by: string | null;
  approved_at: Timestamp | null;
  /** SHA-512 of the inventory that was approved. */
  reviewed_sha512: string | null;
  /** Since when a DOI may lead to the version although its registration is not confirmed; null if none can. */
  announced_at: Timestamp | null;
  published_at: Timestamp | null;
  /**
   * Since when a DOI leads to the notice that the publication ended before it was complete: it has become public, or it may have
   * become public and the service does not know yet. Null if none does.
   */
  retracted_at: Timestamp | null;
  withdrawn_at: Timestamp | null;
  withdrawn_reason: string | null;
  /** The identifier under which it was published. */
  identifier: string | null;
  /** When the service continues with its part; null if it has nothing to do. */
  next_at: Timestamp | null;
  /** Failed attempts of the service since the last success. */
  attempts: number;
  problem: Json<RegistrationProblem>;
  /**
   * Generation of what the service must do: counts each action, change of metadata and change of another version that gives it
   * something to do. An attempt only records its outcome if the generation is still the one with which it began.
   */
  renewals: number;
  /** When the party that must act was last reminded in this state, and how often. */
  reminded_at: Timestamp | null;
  reminders: number;
  /** The last notice about the end of the embargo; see publication/rules/embargo-notices.ts. */
  embargo_notice: string | null;
  /** Whether the catalogue has the present state of a version that is or was published. */
  catalogued: boolean;
  /** When the service stores the next part of the review in the archive; null if there is nothing to store. */
  review_due_at: Timestamp | null;
  /** Errors and warnings that the automatic checks found when they last ran; null if they never did. */
  check_errors: number | null;
  check_warnings: number | null;
}

/** An account of an identity provider that had the role curator or admin when it last signed in. */
export interface KnownCuratorTable {
  account: string;
}

/** An entry of the history: an action, or a comment. */
export interface PublicationEntryTable {
  dataset_id: string;
  version: number;
  /** From 1 on. */
  no: number;
  at: Timestamp;
  actor: string;
  /** A `PublicationAction`, or what the service did. */
  action: string;
  /** The state afterwards. */
  state: PublicationState;
  /** May be empty. */
  comment: string;
  /** The field or file to which a comment belongs. */
  place: Json<Place>;
  /** The number of the comment that this one answers. */
  answers: number | null;
  /** The metadata revision at that time. */
  revision: number;
  data: Json<object>;
}

/** A signed statement about a publication, or about its review; the newest one of a kind describes the present. */
export interface PublicationRecordTable {
  dataset_id: string;
  version: number;
  kind: RecordKind;
  /** From 1 on, for each version and kind. */
  no: number;
  issued_at: Timestamp;
  jws: string;
  /** When it was stored in the archive. */
  stored_at: Timestamp | null;
}

/** One row: the result of the last check of the account at DataCite. */
export interface DoiAccountTable {
  one: boolean;
  checked_at: Timestamp;
  /** Null if the account can register DOIs. */
  problem: Json<AccountProblem>;
}

/**
 * A DOI. `chosen`: only the database knows it, or the answer to its creation was lost; `draft`: DataCite has created it for
 * us; `findable`: it was registered; `hidden`: it was public for a time, and DataCite does not show its metadata any more,
 * because the publication ended before it was complete; `abandoned`: it belongs to another account or dataset, and was replaced, or it was
 * reserved for a version that will never exist, or for a test of the account.
 */
export interface DoiTable {
  /** In lower case. */
  doi: string;
  dataset_id: string;
  /** 0 for the concept DOI, which stands for all versions. */
  version: number;
  created_at: Timestamp;
  /** Whether it was shown to its owner before publication. */
  reserved: boolean;
  state: "chosen" | "draft" | "findable" | "hidden" | "abandoned";
  /** SHA-256 of what was last sent to DataCite, and of what it has confirmed since; null if that is not certain. */
  sent_sha256: string | null;
  confirmed_sha256: string | null;
  /** Number of requests with metadata that were sent to DataCite. An attempt learns from it that another one has sent something. */
  requests: Generated<number>;
  /** The last of these requests whose effect is not certain, oldest first; see publication/rules/uncertain-requests.ts. */
  uncertain: Json<UncertainRequest[]>;
  confirmed_at: Timestamp | null;
  /** When DataCite reported its handle as registered. */
  registered_at: Timestamp | null;
  checked_at: Timestamp | null;
  /** What the last comparison with DataCite found: names of attributes; null before the first. */
  differences: Json<string[]>;
  /** Whether the next comparison corrects what differs. */
  repair: Generated<boolean>;
  /**
   * When the service continues with a reservation, or with its end; null if it has nothing to do. Of a registered DOI: when
   * the service repeats a comparison; null for a day after the last one.
   */
  next_at: Timestamp | null;
  /** Failed attempts to reserve it; of a registered DOI, to compare it. */
  attempts: Generated<number>;
  /** Why it is not reserved, or not compared, yet. */
  problem: Json<RegistrationProblem>;
  /** Since when its reservation fails, and whether the party that must act was told. */
  failure_told: Generated<boolean>;
}

/** A link with which people without an account read one version of a dataset. Its secret is not stored. */
export interface ReviewerLinkTable {
  id: string;
  dataset_id: string;
  version: number;
  /** SHA-256 of the secret. */
  hash: Uint8Array;
  /** For the owner; may be empty. Reviewers do not see it. */
  label: string;
  /** Whether the view names no people and institutions. */
  anonymous: boolean;
  /** Files that describe the dataset, and are therefore left out of an anonymous view. */
  files_left_out: number;
  bytes_left_out: number;
  created_by: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
  revoked_by: string | null;
  visits: Generated<number>;
  last_visit_at: Timestamp | null;
}
