import type { WaitingFor } from "../../domain/submission/mailed-events.ts";

/** The states of the publication of a dataset version. A version that was never requested for publication is `private`. */
export const PUBLICATION_STATES = [
  "private",
  "in_review",
  "changes_requested",
  "declined",
  "approved",
  "registering",
  "published",
  "withdrawn",
] as const;
export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** What people can do about a publication, as the API names it. */
export const PUBLICATION_ACTIONS = [
  "request",
  "assign",
  "comment",
  "resolve",
  "request-changes",
  "decline",
  "approve",
  "take-back",
  "reserve-doi",
  "publish",
  "change-access",
  "withdraw",
] as const;
export type PublicationAction = (typeof PUBLICATION_ACTIONS)[number];

/** Action of the entry that states a change of metadata during a review. It is decided by the rules of metadata. */
export const EDIT = "edit-metadata";

/** Whether a change of metadata in this state is an entry of the history: people have read the metadata before. */
export function isUnderReview(state: PublicationState): boolean {
  return state === "in_review" || state === "changes_requested";
}

/** The relation of a caller to a dataset. Owners of a dataset who are curators are both. */
export type Party = "owner" | "curator" | "admin";

/** The actor of entries that the service made. No account can have this name, because it is empty. */
export const SERVICE = "";

/** Whether curators review datasets before publication. Without review, a request is approved at once. */
export type PublicationMode = "review" | "direct";

interface Rule {
  /** The state afterwards; the same one if the action does not change it. */
  to: PublicationState;
  parties: readonly Party[];
}

const OWNER = ["owner", "admin"] as const;
const CURATOR = ["curator", "admin"] as const;
const BOTH = ["owner", "curator", "admin"] as const;

const ask: Rule = { to: "in_review", parties: OWNER };
const staying = (state: PublicationState, parties: readonly Party[]): Rule => ({ to: state, parties });

/**
 * The only place that decides which action is possible in which state, for whom, and where it leads. What is missing is
 * refused. `registering` ends without an action: the service sets `published` when the identifier is registered.
 */
const RULES: Record<PublicationState, Partial<Record<PublicationAction, Rule>>> = {
  private: { request: ask, "reserve-doi": staying("private", OWNER) },
  in_review: {
    assign: staying("in_review", CURATOR),
    comment: staying("in_review", BOTH),
    resolve: staying("in_review", BOTH),
    "request-changes": { to: "changes_requested", parties: CURATOR },
    decline: { to: "declined", parties: CURATOR },
    approve: { to: "approved", parties: CURATOR },
    "reserve-doi": staying("in_review", OWNER),
    "take-back": { to: "private", parties: OWNER },
  },
  changes_requested: {
    request: ask,
    assign: staying("changes_requested", CURATOR),
    comment: staying("changes_requested", BOTH),
    resolve: staying("changes_requested", BOTH),
    "reserve-doi": staying("changes_requested", OWNER),
    "take-back": { to: "private", parties: OWNER },
  },
  declined: {
    request: ask,
    comment: staying("declined", BOTH),
    resolve: staying("declined", BOTH),
    "reserve-doi": staying("declined", OWNER),
  },
  approved: {
    assign: staying("approved", CURATOR),
    comment: staying("approved", BOTH),
    resolve: staying("approved", BOTH),
    "reserve-doi": staying("approved", OWNER),
    "take-back": { to: "private", parties: BOTH },
    publish: { to: "registering", parties: OWNER },
  },
  // Publishing again makes the next try start now, after the cause of a problem with DataCite was corrected.
  // A registration never prevents an end: the service then withdraws a DOI that has become public meanwhile.
  registering: {
    comment: staying("registering", BOTH),
    resolve: staying("registering", BOTH),
    publish: staying("registering", BOTH),
    "change-access": staying("registering", BOTH),
    "take-back": { to: "private", parties: BOTH },
    withdraw: { to: "withdrawn", parties: BOTH },
  },
  published: {
    comment: staying("published", BOTH),
    resolve: staying("published", BOTH),
    "change-access": staying("published", BOTH),
    publish: staying("published", BOTH),
    withdraw: { to: "withdrawn", parties: CURATOR },
  },
  withdrawn: { publish: staying("withdrawn", BOTH) },
};

/**
 * Actions that close or end something. They are possible also while the service publishes nothing (`ACCESSION_PUBLICATION=off`),
 * so that what is public, or could become public, can always be closed.
 */
const CLOSING: ReadonlySet<PublicationAction> = new Set(["take-back", "change-access", "withdraw"]);

/** Whether an action is possible in this mode of the service at all. */
export function isPossibleIn(mode: PublicationMode | "off", action: PublicationAction): boolean {
  return mode !== "off" || CLOSING.has(action);
}

/** Why an action is refused. */
export type Refusal = "state" | "party";

/**
 * Decides about an action.
 *
 * @returns the state that it leads to, or why it is refused: it is not possible in this state, or not for these parties
 */
export function decide(
  state: PublicationState,
  action: PublicationAction,
  parties: readonly Party[],
  mode: PublicationMode,
): { to: PublicationState } | { refused: Refusal } {
  const rule = RULES[state][action];
  if (rule === undefined) return { refused: "state" };
  if (!rule.parties.some((party) => parties.includes(party))) return { refused: "party" };
  return { to: action === "request" && mode === "direct" ? "approved" : rule.to };
}

/** The actions that these parties can take in a state. */
export function possibleActions(state: PublicationState, parties: readonly Party[]): PublicationAction[] {
  return PUBLICATION_ACTIONS.filter((action) => "to" in decide(state, action, parties, "review"));
}

export type { WaitingFor };

/** The party that must act next in each state; null if none must. */
export const WAITING_FOR = {
  private: null,
  in_review: "curator",
  changes_requested: "owner",
  declined: null,
  approved: "owner",
  registering: "service",
  published: null,
  withdrawn: null,
} as const satisfies Record<PublicationState, WaitingFor | null>;
