import type { Generated } from "kysely";
import type { AccessRequestState, GrantKind, GrantUseKind } from "../../publication/rules/grants.ts";
import type { Timestamp } from "./columns.ts";

/** Access of a person, or of all who have a link, to the closed files of published versions. */
export interface AccessGrantTable {
  id: string;
  dataset_id: string;
  /** Null for all versions. */
  version: number | null;
  kind: GrantKind;
  /** The owner name of the person; for `subject` only. */
  subject: string | null;
  /** In lower case; for `email` only. */
  email: string | null;
  /** SHA-256 of the secret; for `link` only. */
  hash: Uint8Array | null;
  /** What it is for; may be empty. */
  note: string;
  granted_by: string;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  revoked_by: string | null;
  /** How often it was used; the sum over what was read. */
  uses: Generated<number>;
  first_used_at: Timestamp | null;
  /** The last use. */
  used_at: Timestamp | null;
}

/** What was read with a grant. It does not say who read it or from where. */
export interface AccessGrantUseTable {
  grant_id: string;
  /** A digest of version, kind and path. */
  key: Uint8Array;
  version: number;
  kind: GrantUseKind;
  /** Of a file or folder; otherwise empty. */
  path: string;
  uses: number;
  first_at: Timestamp;
  last_at: Timestamp;
}

/** A request for access to the closed files of a dataset. */
export interface AccessRequestTable {
  id: string;
  dataset_id: string;
  /** The version that the person was looking at. */
  version: number;
  /** The owner name of the person; null without a token. */
  account: string | null;
  name: string | null;
  /** In lower case. */
  email: string | null;
  /** Whether the identity provider has verified the address; otherwise the person has stated it. */
  email_verified: boolean;
  reason: string;
  created_at: Timestamp;
  state: AccessRequestState;
  decided_by: string | null;
  decided_at: Timestamp | null;
  /** May be empty. */
  answer: string;
  /** What was granted. */
  grant_id: string | null;
  /** When owner and curators were last reminded of it, and how often. */
  reminded_at: Timestamp | null;
  reminders: Generated<number>;
}
