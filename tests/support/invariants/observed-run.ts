/** What has to hold after any fault, in the words in which a violation is named. */
export type Invariant =
  /** Every listed object is stored with the digest of its bytes, or named as unreadable; never both, never neither. */
  | "kept or named"
  /** `completed`: listed whole, nothing failed but what was excluded, sums agree, every digest offered was compared. */
  | "completed is whole"
  /** What is visible in the storage root belongs to a submission whose publication is committed. */
  | "nothing partial"
  /** Files and inventory agree both ways, to the byte. */
  | "files and inventory agree"
  | "accepted survives"
  | "declared edges"
  | "progress forward"
  | "nothing outside"
  | "no orphans"
  | "secrets stay secret"
  | "source only read"
  /** Every submission is over, or waits with a reason. */
  | "nothing hangs"
  /** What a database would be rebuilt from is there. */
  | "rebuildable";

export interface Violation {
  invariant: Invariant;
  detail: string;
}

/** The truth about one key, known from how the source was made. */
export interface SourceObject {
  /** What it held, one after the other; whichever of them was read is right. */
  contents: { bytes: number; sha512: string }[];
  /** Nobody touched it while the submission ran: it has to be there. */
  isUnchanged: boolean;
  /** The source states a digest of the whole content, so it has to be compared. */
  offersDigest: boolean;
  /** What the source says of it besides, by the names of headers without `x-amz-meta-` and `x-amz-checksum-`. */
  userMetadata?: Record<string, string>;
  checksums?: Record<string, string>;
}

/** What was seen of a submission at one moment. */
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

/** All that can be seen from outside after a run has come to rest. */
export interface ObservedRun {
  source: ReadonlyMap<string, SourceObject>;
  /** The folder of everything embedded. */
  data: string;
  /** Default `<data>/archive`. */
  archive?: string;
  /** A folder in which nothing but these names may lie. */
  surroundings?: { folder: string; names: readonly string[] };
  /** Asks the API. */
  get(path: string): Promise<Reply>;
  /** Ids that were answered with a 202. */
  accepted: readonly string[];
  observed: readonly Observation[];
  /** Every request that reached the source. */
  history: readonly { method: string; key: string }[];
  secrets: readonly string[];
  logs: readonly string[];
}

/** Gathers violations. */
export class Findings {
  readonly violations: Violation[] = [];

  /** Notes a violation unless something holds. Returns whether it does. */
  expect(holds: boolean, invariant: Invariant, detail: string): boolean {
    if (!holds) this.violations.push({ invariant, detail });
    return holds;
  }
}
