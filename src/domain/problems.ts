import { collectionProblems } from "./problems/collections.ts";
import { digestProblems } from "./problems/digests.ts";
import type { ProblemEntry, ResponsibleParty, StepResponse, WaitingPeriod } from "./problems/entry.ts";
import { members } from "./problems/members.ts";
import { notificationProblems } from "./problems/notifications.ts";
import { objects } from "./problems/objects.ts";
import { publicationProblems } from "./problems/publication.ts";
import { requests } from "./problems/requests.ts";
import { service } from "./problems/service.ts";
import { source } from "./problems/source.ts";
import { uploadProblems } from "./problems/uploads.ts";
import { warnings } from "./problems/warnings.ts";

/** Maximum number of errors, and of warnings, in an answer. */
const mostListed = 1_000;

/** Maximum length of a pointer, because member names come from the request and can have millions of characters. */
const longestPointer = 500;

/**
 * The error catalogue. Each problem has a stable code, the party that must act, the action, and what happens to a submission
 * that meets the problem in a step. `docs/errors.md` is generated from this table, and a test keeps the two equal.
 */
export const catalogue = {
  ...requests,
  ...members,
  ...warnings,
  ...source,
  ...objects,
  ...service,
  ...notificationProblems,
  ...publicationProblems,
  ...collectionProblems,
  ...uploadProblems,
  ...digestProblems,
} as const satisfies Record<string, ProblemEntry>;

/** A stable code from the catalogue. */
export type Code = keyof typeof catalogue;

/** A code under which submissions wait. */
export type WaitingCode = {
  [C in Code]: (typeof catalogue)[C] extends { waiting: WaitingPeriod } ? C : never;
}[Code];

/** The entry of a code. Compilation fails if a problem makes submissions wait under a code without a waiting period. */
function entryOf(code: Code): ProblemEntry<WaitingCode> {
  return catalogue[code];
}

/** The party that must act on a problem of this code. */
export function faultOf(code: Code): ResponsibleParty {
  return entryOf(code).fault ?? "submitter";
}

/** What happens to a submission that meets a problem of this code in a step. */
export function responseInStep(code: Code): StepResponse<WaitingCode> {
  return entryOf(code).inStep ?? "retry";
}

/** How long a submission waits under this code. */
export function waitingPeriod(code: WaitingCode): WaitingPeriod {
  return catalogue[code].waiting;
}

/** Codes of problems with the data source. */
export const SOURCE_CODES = Object.keys(source) as (keyof typeof source)[];

/** One error or warning about one place of a request (RFC 6901 pointer). */
export interface Remark {
  pointer: string;
  code: Code;
  detail: string;
}

/** Optional arguments of {@link Problem}. */
interface ProblemOptions {
  cause?: unknown;
  errors?: Remark[];
  /** Additional members of the answer, for instance the report of a failed check. */
  extra?: Record<string, unknown>;
  /** Whole seconds after which the caller may retry. */
  retryAfter?: number;
}

/** The error class for all problems that a person can resolve. `message` never contains a secret. */
export class Problem extends Error {
  readonly code: Code;
  readonly fault: ResponsibleParty;
  readonly title: string;
  readonly action: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly errors: Remark[];
  readonly extra: Record<string, unknown>;
  readonly retryAfter: number | undefined;

  constructor(code: Code, detail?: string, options: ProblemOptions = {}) {
    const entry = entryOf(code);
    super(detail ?? entry.title, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.fault = faultOf(code);
    this.title = entry.title;
    this.action = entry.action;
    this.status = entry.status ?? 422;
    this.retryable = entry.retryable ?? false;
    this.errors = limitRemarks(options.errors ?? [], "more_errors");
    this.extra = options.extra ?? {};
    this.retryAfter = options.retryAfter;
  }
}

/** The full text for a person: what happened, then the next step. */
export function sentence(problem: { message: string; action: string }): string {
  const end = /[.!?]$/.test(problem.message) ? "" : ".";
  return `${problem.message}${end} ${problem.action}`;
}

/**
 * The remarks as listed in an answer: the first {@link mostListed}, then one with the number of the others.
 * A pointer of more than 500 characters is cut and ends with “…”.
 */
export function limitRemarks(remarks: readonly Remark[], more: "more_errors" | "more_warnings"): Remark[] {
  const shown = remarks.slice(0, mostListed).map((remark) => ({ ...remark, pointer: cut(remark.pointer) }));
  const left = remarks.length - shown.length;
  if (left === 0) return shown;
  const what = more === "more_errors" ? "errors" : "warnings";
  const detail = `At least ${left.toLocaleString("en")} more ${what} were found but are not listed.`;
  return [...shown, { pointer: "", code: more, detail }];
}

function cut(pointer: string): string {
  return pointer.length <= longestPointer ? pointer : `${pointer.slice(0, longestPointer)}…`;
}
