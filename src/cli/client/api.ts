import type { Selection } from "../../domain/selection.ts";

/** The parts of the service's answers that client verbs read (CONTRACT 3). */

export interface Remark {
  pointer: string;
  code: string;
  detail: string;
}

/** An error (RFC 9457) with what Accession adds. */
export interface ProblemView {
  title: string;
  status: number;
  detail: string;
  code: string;
  action: string;
  errors?: Remark[];
  report?: Report;
}

export interface Report {
  ok: boolean;
  message: string;
  steps: {
    name: string;
    status: "passed" | "failed" | "skipped" | "warning";
    detail: string;
    hint: string;
    /** Of the problem, where it failed. */
    code: string | null;
  }[];
  policy: unknown;
}

interface Amount {
  objects: number;
  bytes: number;
}

export interface Preview {
  complete: boolean;
  objects: number;
  bytes: number;
  largest: { key: string; bytes: number }[];
  unreadableStorageClasses: { storageClass: string; objects: number }[];
  renamed: { key: string; path: string; reason: string }[];
  renamedTotal: number;
  fits: boolean;
  room: number | null;
  estimatedSeconds: number | null;
  changes?: {
    since: number;
    sameSource: boolean;
    toRead: Amount;
    removed: Amount | null;
  } & Record<"added" | "changed" | "unchanged", Amount>;
  notes: string[];
}

export type Status =
  | "accepted"
  | "listing"
  | "transferring"
  | "verifying"
  | "packaging"
  | "completed"
  | "waiting"
  | "failed"
  | "cancelled";

export interface Progress {
  listingComplete: boolean;
  objectsListed: number;
  bytesListed: number;
  objectsStored: number;
  bytesStored: number;
  objectsFailed: number;
  objectsExcluded: number;
  bytesPerSecond: number | null;
  secondsLeft: number | null;
  /** Not there in answers of older services. */
  stalled?: { since: string; until: string } | null;
}

/** Where a submission is, as its event stream tells it between events. */
export interface State {
  status: Status;
  attempt: number;
  progress: Progress;
}

export interface Standstill {
  code: string;
  fault: string;
  message: string;
  action: string;
  retryable: boolean;
  since: string;
  until: string | null;
}

export interface Submission extends State {
  id: string;
  title: string;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
  source: { endpoint: string; region: string | null; bucket: string; selection: Selection };
  /** What the receipt says; null until it is completed. */
  sourceMayBeDeleted: "yes" | "no" | null;
  statement: string | null;
  waiting: Standstill | null;
  failure: Standstill | null;
  drift: { key: string; change: string }[];
  dataset: { id: string; version: number } | null;
  /** Set when the dataset that came of it is no more. */
  withdrawn: { at: string; by: string; reason: string } | null;
  warnings: Remark[];
  links: Record<string, string>;
}

/** A submission in a list. */
export type SubmissionEntry = Pick<
  Submission,
  "id" | "status" | "title" | "createdAt" | "source" | "progress" | "withdrawn"
> & {
  /** The dataset and version that it creates. */
  target: { id: string; version: number } | null;
};

/** A dataset in a list. */
export interface DatasetEntry {
  id: string;
  title: string;
  version: number;
  publishedAt: string;
  objects: number;
  bytes: number;
  withdrawn: { at: string; by: string; reason: string } | null;
}

export interface FileView {
  path: string;
  key: string;
  bytes: number;
  state: string;
  verifiedBy: string | null;
  verifiedWith: string | null;
  attempts: number;
  error: { code: string; message: string } | null;
}

export interface Dataset {
  id: string;
  identifier: string;
  title: string;
  versions: { version: number; submission: string; publishedAt: string; objects: number; bytes: number }[];
  audit: { at: string; ok: boolean; findings: { path: string; detail: string }[] } | null;
}

export interface DatasetFile {
  path: string;
  bytes: number;
  sha512: string;
  verifiedBy: string | null;
}

export interface EventView {
  id: number;
  at: string;
  attempt: number;
  type: string;
  message: string;
}

export interface Token {
  id: string;
  name: string;
  role: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

export interface NewToken extends Token {
  /** The token itself. */
  token: string;
}
