/** The party that must act on a problem. `service`: Accession itself is at fault, and the operator must report or repair it. */
export type ResponsibleParty = "submitter" | "source" | "service" | "operator";

/** Whether the operator must act, by the party of the problem. Then it is logged as an error, see docs/operating.md. */
export const operatorMustAct = {
  submitter: false,
  source: false,
  service: true,
  operator: true,
} as const satisfies Record<ResponsibleParty, boolean>;

/** What is known of a code before it happens. */
export interface ProblemEntry<WaitingCode extends string = string> {
  /** Absent: `submitter`, who can correct the request. */
  readonly fault?: ResponsibleParty;
  /** HTTP status when the code is the answer to a request; absent for codes that only appear inside answers. */
  readonly status?: number;
  readonly title: string;
  /** What the party that must act can do. */
  readonly action: string;
  /** What happens to a submission that meets the problem in a step. Absent: `retry`. */
  readonly inStep?: StepResponse<WaitingCode>;
  /** How long submissions wait under this code; absent for codes under which none waits. */
  readonly waiting?: WaitingPeriod;
  /** True when the same attempt may succeed later without any change by a person. */
  readonly retryable?: true;
}

/** An entry whose code stops steps: the party and the response must be stated. */
export type StepEntry = ProblemEntry & Required<Pick<ProblemEntry, "fault" | "inStep">>;

/**
 * What happens to a submission that meets a problem in a step:
 *
 * - `fail`: waiting cannot resolve the problem, so the attempt fails. A retry starts a new attempt.
 * - `retry`: the job is retried; its last try ends in `internal_error`. For problems that need no stop: the attempt is
 *   over, the database is unavailable, or the problem is recorded with its object.
 * - `waitAs`: the submission waits under this code, until a probe or a person resumes it. The party that must act is that
 *   of the code; the message names the cause.
 */
export type StepResponse<WaitingCode extends string> = "fail" | "retry" | { readonly waitAs: WaitingCode };

/** How long a submission waits under a code before it fails. */
export interface WaitingPeriod {
  readonly days: number;
  /** For a submission whose publication is committed, which must not fail. */
  readonly daysIfCommitted?: number;
  /** Milliseconds until the first probe; absent when only a person can resume the submission. */
  readonly probeInMs?: number;
}

/** Milliseconds until the first probe of a cause that can disappear without the submitter. */
export const FIRST_PROBE_MS = 60_000;
