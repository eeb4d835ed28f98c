import type { ResponsibleParty } from "../problems/entry.ts";
import type { Code } from "../problems.ts";

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
