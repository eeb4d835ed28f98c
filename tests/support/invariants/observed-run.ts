/** The names of the invariants that must hold after any fault. */
export type Invariant =
  /** Every listed object is either stored with the digest of its bytes or reported as unreadable. */
  | "stored or reported"
  /** A completed submission has a complete listing, no failed objects, correct sums, and compared every available digest. */
  | "completed is complete"
  /** Every visible dataset belongs to a submission whose publication is committed. */
  | "no partial datasets"
  /** Files and inventory agree in both directions, byte for byte. */
  | "files and inventory agree"
  | "accepted submissions survive"
  /** What the service said to have of an uploaded file is there, and files that are refused have other bytes than their digest says. */
  | "acknowledged bytes are kept"
  | "declared transitions"
  | "progress never decreases"
  | "no unexpected files"
  | "no orphans"
  | "secrets stay secret"
  | "source only read"
  /** Every submission has ended, or waits and states the reason. */
  | "nothing hangs"
  /** A registered DOI leads to one published dataset, which has one record and was published once. */
  | "publications hold"
  /** The public sees what is published, and neither versions that are not nor closed files. No DOI leads to a missing page. */
  | "visibility holds"
  /** The archive contains everything that a rebuild of the database requires. */
  | "rebuildable";

export interface Violation {
  invariant: Invariant;
  detail: string;
}

/** What the source had for one key, as recorded by the test. */
export interface SourceObject {
  /** All contents that it had, in order. Any of them may be archived. */
  contents: { bytes: number; sha512: string }[];
  /** It was not changed during the submission, so that it must be archived or reported. */
  isUnchanged: boolean;
  /** The source states a digest of the whole content, so that it must be compared. */
  offersDigest: boolean;
  /** Metadata and checksums of the source, by header names without `x-amz-meta-` and `x-amz-checksum-`. */
  userMetadata?: Record<string, string>;
  checksums?: Record<string, string>;
}

/** The state of a submission at one moment. */
export interface Observation {
  id: string;
  status: string;
  attempt: number;
  progress: Record<string, number | boolean | null>;
}

export interface Reply {
  status: number;
  text: string;
  /** The path of the next page, if there is one. */
  next?: string | undefined;
}

/** Everything that is observable from outside after a run has ended. */
export interface ObservedRun {
  source: ReadonlyMap<string, SourceObject>;
  /** The data folder. */
  data: string;
  /** Default `<data>/archive`. */
  archive?: string;
  /** A folder that may contain only these names. */
  surroundings?: { folder: string; names: readonly string[] };
  /** Sends a GET request to the API. */
  get(path: string): Promise<Reply>;
  /** IDs of submissions that were accepted (202). */
  accepted: readonly string[];
  observed: readonly Observation[];
  /** Every request that reached the source. */
  history: readonly { method: string; key: string }[];
  secrets: readonly string[];
  logs: readonly string[];
}

/** Collects violations. */
export class Findings {
  readonly violations: Violation[] = [];

  /** Records a violation unless a condition holds. Returns whether it holds. */
  expect(holds: boolean, invariant: Invariant, detail: string): boolean {
    if (!holds) this.violations.push({ invariant, detail });
    return holds;
  }
}
