import type { AccessMethod } from "../../public/usage/clicks.ts";
import type { Timestamp } from "./columns.ts";

/** How a version was used on a day. Unique counts are those of the sessions that began to use it on this day. */
export interface UsageDayTable {
  dataset_id: string;
  version: number;
  /** UTC. */
  day: string;
  access: AccessMethod;
  investigations: number;
  requests: number;
  /** Sessions that used the version. */
  unique_investigations: number;
  unique_requests: number;
  /** Sessions that used the dataset, counted at the version that they used first. Their sum over versions is that of the dataset. */
  dataset_investigations: number;
  dataset_requests: number;
}

/** The salt of the day. Salts of earlier days are deleted. */
export interface UsageSaltTable {
  day: string;
  salt: Uint8Array;
}

/** A recent click or a session; see domain/usage/clicks.ts. */
export interface UsageKeyTable {
  key: Uint8Array;
  /** The last use. */
  at: Timestamp;
  /** From then on it can be deleted. */
  expires_at: Timestamp;
}
