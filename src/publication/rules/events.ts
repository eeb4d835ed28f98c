import type { LogEntry } from "../../domain/submission/events.ts";
import { isDoi } from "./doi.ts";
import type { EmbargoNotice } from "./embargo-notices.ts";
import type { Place, RegistrationProblem } from "./publication.ts";
import type { PublicationAction, PublicationState, WaitingFor } from "./states.ts";

/** An action as the log of the version's submission states it. */
export interface ActionTaken {
  action: PublicationAction;
  /** The state afterwards. */
  state: PublicationState;
  by: string;
  /** May be empty. */
  comment: string;
  dataset: string;
  version: number;
  revision: number;
  /** The side on which the person acted: as the owner, or for the service. */
  party: "owner" | "curator";
  /** What a comment is about; null for the dataset. */
  place: Place | null;
  /** The new curator, for an assignment, and the one before. */
  curator?: string | null;
  former?: string | null;
  /** For a comment that was resolved or reopened: its number in the history. */
  entry?: number;
  resolved?: boolean;
}

const TYPES = {
  request: "publication_requested",
  assign: "publication_assigned",
  comment: "publication_commented",
  resolve: "comment_resolved",
  "request-changes": "changes_requested",
  decline: "publication_declined",
  approve: "publication_approved",
  "take-back": "publication_taken_back",
  "reserve-doi": "doi_requested",
  publish: "registering",
  "change-access": "access_changed",
  withdraw: "publication_withdrawn",
} as const satisfies Record<PublicationAction, LogEntry["type"]>;

const WHAT: Record<PublicationAction, string> = {
  request: "requested publication",
  assign: "assigned the review",
  comment: "commented",
  resolve: "resolved a comment",
  "request-changes": "requested changes",
  decline: "declined publication",
  approve: "approved publication",
  "take-back": "took the request for publication back",
  "reserve-doi": "reserved a DOI",
  publish: "started publication",
  "change-access": "changed the access to the files",
  withdraw: "withdrew the publication",
};

/** The event of an action, in the transaction that records it. */
export function actionTaken({ action, state, by, comment, place, ...of }: ActionTaken): LogEntry {
  return {
    type: TYPES[action],
    message: `${by} ${of.resolved === false ? "reopened a comment" : WHAT[action]}${comment === "" ? "" : `: ${comment}`}`,
    data: { ...of, state, by, comment, ...(place !== null && { place }) },
  };
}

/** The event that the party that must act is reminded. */
export function reminded(of: {
  dataset: string;
  version: number;
  state: PublicationState;
  waitingFor: WaitingFor;
  since: string;
}): LogEntry {
  return {
    type: "publication_reminder",
    message: `The publication has been waiting for the ${of.waitingFor} since ${of.since.slice(0, 10)}`,
    data: of,
  };
}

/** The event that an embargo ends soon, or has ended. */
export function embargoNoticed(of: { dataset: string; version: number }, { date, days }: EmbargoNotice): LogEntry {
  const data = { ...of, embargoDate: date };
  if (days === 0) {
    return { type: "embargo_ended", message: `The embargo ended: the files are open since ${date} (UTC)`, data };
  }
  return { type: "embargo_ending", message: `The embargo ends: the files are open from ${date} on (UTC)`, data };
}

/** The event that a version is published. */
export function published(of: { dataset: string; version: number; revision: number; identifier: string }): LogEntry {
  return {
    type: "published",
    message: `The dataset is published as ${of.identifier}`,
    data: { ...of, identifierType: isDoi(of.identifier) ? "DOI" : "URN", state: "published" },
  };
}

/** The event that DataCite has a draft of a reserved DOI. */
export function doiReserved(of: { dataset: string; version: number; doi: string }): LogEntry {
  return { type: "doi_reserved", message: `The DOI ${of.doi} is reserved. It resolves after publication`, data: of };
}

/** The event that the service cannot continue with a publication at the moment, and why. */
export function registrationDelayed(
  { dataset_id: dataset, version }: { dataset_id: string; version: number },
  { code, fault, message, action }: RegistrationProblem,
): LogEntry {
  return {
    type: "registration_delayed",
    message: `The publication is delayed: ${message}`,
    data: { dataset, version, code, fault, action },
  };
}

/** The event that a DOI cannot be reserved, and why. @param of.since ISO 8601; since when every attempt fails */
export function reservationDelayed(
  of: { dataset: string; version: number; doi: string; since: string },
  { code, fault, message, action }: RegistrationProblem,
): LogEntry {
  return {
    type: "reservation_delayed",
    message: `The reservation of the DOI is delayed: ${message}`,
    data: { ...of, code, fault, action },
  };
}

/** The event that owner and curators are reminded of open requests for access. @param of.since ISO 8601; of the oldest one */
export function accessReminded(of: { dataset: string; version: number; open: number; since: string }): LogEntry {
  return {
    type: "access_reminder",
    message: `Open requests for access to the files: ${of.open}, the oldest one since ${of.since.slice(0, 10)}`,
    data: of,
  };
}

/** What happened to the access of a person, or to a request for it. */
export type AccessStep = "access_requested" | "access_granted" | "access_refused" | "access_revoked";

/** A step about the access to closed files, as the log of the version's submission states it. */
export interface AccessStepTaken {
  dataset: string;
  version: number;
  /** The account that acted; null for a person without an account. */
  by: string | null;
  /** Ids of what the step is about. Names and addresses of people are only in the database. */
  grant?: string;
  request?: string;
}

const STEPS: Record<AccessStep, string> = {
  access_requested: "asked for access to the files",
  access_granted: "granted access to the files",
  access_refused: "refused access to the files",
  access_revoked: "revoked access to the files",
};

/** The event of a step, in the transaction that records it. It contains no name of a person without an account. */
export function accessStep(type: AccessStep, step: AccessStepTaken): LogEntry {
  return { type, message: `${step.by ?? "A person without an account"} ${STEPS[type]}`, data: step };
}

/** The event that a reviewer link was created or revoked. It never contains the secret. */
export function reviewerLinkChanged(
  type: "reviewer_link_created" | "reviewer_link_revoked",
  of: { dataset: string; version: number; link: string; label: string; anonymous: boolean; by: string },
): LogEntry {
  const what = type === "reviewer_link_created" ? "created" : "revoked";
  const kind = of.anonymous ? "an anonymous reviewer link" : "a reviewer link";
  return { type, message: `${of.by} ${what} ${kind}${of.label === "" ? "" : ` (${of.label})`}`, data: of };
}
