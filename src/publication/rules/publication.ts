import type { ResponsibleParty } from "../../domain/problems/entry.ts";
import { type Code, catalogue } from "../../domain/problems.ts";
import { type Party, type PublicationAction, type PublicationState, possibleActions } from "./states.ts";

/** Kinds of signed statements about a publication, which are also the names of their folders in the logs of a dataset. */
export const RECORD_KINDS = ["publication", "review"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The acceptance of a deposit agreement. */
export interface Agreement {
  /** SHA-256 of the accepted text, in lower-case hex. */
  sha256: string;
  /** BCP 47. */
  language: string;
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** What a comment is about: a metadata field (RFC 6901 pointer) or a file (path from the list of files). */
export type Place = { field: string } | { file: string };

/** Why the service cannot complete a publication at the moment. */
export interface RegistrationProblem {
  code: Code;
  /** The party that must act. */
  fault: ResponsibleParty;
  message: string;
  action: string;
  /** Of the last attempt; ISO 8601, UTC. */
  at: string;
  /** Of the first failed attempt since the last one that succeeded; ISO 8601, UTC. Earlier versions did not store it. */
  since?: string;
}

/** What decides whether the service has something to try again. */
interface Registration {
  state: PublicationState;
  problem: RegistrationProblem | null;
}

/** Whether publishing has an effect: after publication, only while a problem delays what DataCite must learn. */
export function mayTryAgain({ state, problem }: Registration): boolean {
  return (state !== "published" && state !== "withdrawn") || problem !== null;
}

/** People learn of failures that can pass without them after this time: most are over before. */
export const TOLD_AFTER_MS = 15 * 60_000;

/** Whether a problem can pass without a person. DataCite’s have the fault `operator`, so the fault does not decide. */
export function canPass(code: Code): boolean {
  return "retryable" in catalogue[code];
}

/** The codes of which {@link canPass} is true. */
export const PASSING_CODES: readonly string[] = (Object.keys(catalogue) as Code[]).filter(canPass);

/**
 * Whether people must learn that the service cannot continue: at once if a person must act, and otherwise after
 * {@link TOLD_AFTER_MS}. Until then, the service tries again, and nobody is alarmed.
 */
export function isDelayed(problem: Pick<RegistrationProblem, "code" | "since"> | null, now: Date): boolean {
  if (problem === null) return false;
  const { code, since } = problem;
  return !canPass(code) || since === undefined || now.getTime() - Date.parse(since) >= TOLD_AFTER_MS;
}

/** Whether an attempt of the service is due or under way, so that nothing makes it start earlier. */
export function isDue({ next_at }: { next_at: Date | null }, now: Date): boolean {
  return next_at !== null && next_at <= now;
}

/** What else decides whether an action has an effect. */
interface Circumstances {
  /** Whether a DOI can be reserved for the version. */
  canReserve: boolean;
  /** Whether there are comments that can be resolved. */
  hasComments: boolean;
}

/** The actions that these parties can take now. */
export function availableActions(
  row: Registration,
  parties: readonly Party[],
  { canReserve, hasComments }: Circumstances,
): PublicationAction[] {
  return possibleActions(row.state, parties).filter((action) => {
    if (action === "reserve-doi") return canReserve;
    if (action === "resolve") return hasComments;
    return action !== "publish" || mayTryAgain(row);
  });
}
