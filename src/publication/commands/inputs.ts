import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { Agreement, Place } from "../rules/publication.ts";
import type { PublicationAction } from "../rules/states.ts";

/** The access to the files of a published version. */
export interface AccessWish {
  access: AccessKind;
  /** `YYYY-MM-DD`, for `embargoed` only. */
  embargoDate: string | null;
  /** May be empty for open access. */
  reason: string;
}

/** What each action needs besides the dataset and the caller. `comment` may be empty where it is not mandatory. */
export interface ActionInput extends Record<PublicationAction, object> {
  request: AccessWish & {
    agreement: Agreement;
    publishOnApproval: boolean;
    showSource: boolean;
    comment: string;
    /** Ids of the collections for which the owner asks; absent for none. */
    collections?: readonly string[];
  };
  /** Null removes the assignment. */
  assign: { curator: string | null };
  comment: { comment: string; place: Place | null; answers: number | null };
  /** Whether the comment with this number is resolved from now on, or open again. */
  resolve: { answers: number; resolved: boolean };
  "request-changes": { comment: string };
  decline: { comment: string };
  approve: { comment: string };
  "take-back": { comment: string };
  "reserve-doi": { comment: string };
  publish: { comment: string };
  "change-access": AccessWish;
  withdraw: { reason: string };
}

/** An action with its input. */
export type ActionRequest = { [A in PublicationAction]: { action: A; input: ActionInput[A] } }[PublicationAction];
