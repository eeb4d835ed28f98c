import type { LogEntry } from "../events.ts";
import type { RegistrationProblem } from "./publication.ts";
import type { PublicationAction, PublicationState } from "./states.ts";

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
}

const TYPES = {
  request: "publication_requested",
  assign: "publication_assigned",
  comment: "publication_commented",
  "request-changes": "changes_requested",
  decline: "publication_declined",
  approve: "publication_approved",
  "take-back": "publication_taken_back",
  publish: "registering",
  "change-access": "access_changed",
  withdraw: "publication_withdrawn",
} as const satisfies Record<PublicationAction, LogEntry["type"]>;

const WHAT: Record<PublicationAction, string> = {
  request: "requested publication",
  assign: "assigned the review",
  comment: "commented",
  "request-changes": "requested changes",
  decline: "declined publication",
  approve: "approved publication",
  "take-back": "took the request for publication back",
  publish: "started publication",
  "change-access": "changed the access to the files",
  withdraw: "withdrew the published dataset",
};

/** The event of an action, in the transaction that records it. */
export function actionTaken({ action, state, by, comment, ...of }: ActionTaken): LogEntry {
  return {
    type: TYPES[action],
    message: `${by} ${WHAT[action]}${comment === "" ? "" : `: ${comment}`}`,
    data: { ...of, state, by, comment },
  };
}

/** The event that a version is published. */
export function published(of: { dataset: string; version: number; revision: number; identifier: string }): LogEntry {
  return {
    type: "published",
    message: `The dataset is published as ${of.identifier}`,
    data: { ...of, state: "published" },
  };
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
