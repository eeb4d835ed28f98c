import type { ResponsibleParty } from "../problems/entry.ts";
import type { Code } from "../problems.ts";
import { type Party, type PublicationAction, type PublicationState, possibleActions } from "./states.ts";

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
}

/** Problems after which DataCite has certainly not registered the DOI, until a person has corrected the cause. */
const REFUSALS: ReadonlySet<string> = new Set([
  "datacite_credentials",
  "datacite_forbidden",
  "datacite_domain",
  "datacite_rejected",
  "datacite_schema",
]);

/** What decides whether a publication that is being registered can be taken back. */
interface Registration {
  state: PublicationState;
  announced_at: Date | null;
  problem: RegistrationProblem | null;
}

/**
 * Whether a publication can be taken back in its state: one that is being registered only while DataCite refuses it, because
 * otherwise its DOI may lead to the dataset already.
 */
export function mayBeTakenBack({ state, announced_at, problem }: Registration): boolean {
  if (state !== "registering") return true;
  return announced_at === null && problem !== null && REFUSALS.has(problem.code);
}

/** Whether publishing has an effect: after publication, only while a problem delays what DataCite must learn. */
export function mayTryAgain({ state, problem }: Registration): boolean {
  return (state !== "published" && state !== "withdrawn") || problem !== null;
}

/** The actions that these parties can take now. @param canReserve whether a DOI can be reserved for the version */
export function availableActions(
  row: Registration,
  parties: readonly Party[],
  canReserve: boolean,
): PublicationAction[] {
  return possibleActions(row.state, parties).filter((action) => {
    if (action === "reserve-doi") return canReserve;
    if (action === "publish") return mayTryAgain(row);
    return action !== "take-back" || mayBeTakenBack(row);
  });
}
