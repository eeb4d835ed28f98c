import type { Static } from "typebox";
import type { PublicationListEntry, PublicationView } from "../schemas/publication.ts";
import { DATASET, metadata } from "./examples.ts";

/** Examples of the OpenAPI document about publications. */

export const publication: Static<typeof PublicationView> = {
  dataset: DATASET,
  version: 1,
  revision: 1,
  approvedRevision: 1,
  state: "in_review",
  since: "2026-06-02T09:00:00.000Z",
  waitingFor: "curator",
  assignee: null,
  assigneeIsCurator: null,
  actions: ["comment", "take-back"],
  identifier: null,
  identifierType: null,
  doi: null,
  doiState: null,
  conceptDoi: null,
  access: "open",
  embargoDate: null,
  accessReason: "",
  filesOpen: false,
  filesReadable: true,
  publishOnApproval: true,
  showSource: false,
  collections: [],
  memberOf: [],
  requestedBy: "josiah",
  agreement: { sha256: "5b".repeat(32), language: "en", by: "josiah", at: "2026-06-02T09:00:00.000Z" },
  notified: true,
  approvedBy: null,
  reviewedSha512: null,
  publishedAt: null,
  withdrawnAt: null,
  withdrawnReason: null,
  attempts: 0,
  nextAttemptAt: null,
  problem: null,
  isDelayed: false,
  checks: [],
  comments: { total: 0, resolved: 0 },
  history: [
    {
      id: 1,
      at: "2026-06-02T09:00:00.000Z",
      actor: "josiah",
      action: "request",
      state: "in_review",
      comment: "",
      place: null,
      answers: null,
      revision: 1,
      resolved: null,
      curator: null,
      access: "open",
      embargoDate: null,
      party: null,
      collections: [],
    },
  ],
  historyBefore: null,
};

const { dataset, version, state, since, waitingFor, assignee, assigneeIsCurator } = publication;
const { identifier, identifierType, access, embargoDate, problem } = publication;

export const publicationEntry: Static<typeof PublicationListEntry> = {
  ...{ dataset, version, title: metadata.title, owner: "josiah" },
  ...{ state, since, waitingFor, assignee, assigneeIsCurator },
  ...{ identifier, identifierType, access, embargoDate, problem },
  isOverdue: false,
  checks: { errors: 0, warnings: 1 },
  comments: { total: 0, resolved: 0 },
  lastCommentAt: null,
  accessRequests: 0,
  isDelayed: false,
};
