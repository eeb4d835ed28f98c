import { type EventType, isPassing, type LogEntry } from "./events.ts";

/**
 * A party that receives mail. `submitter`: the address of a submission; `uploader`: the owner of an upload; `reader`: the person who asked for access;
 * `former_curator`: the curator to whom a review was assigned until now; the others are parties of a publication.
 */
export type MailParty = "submitter" | "uploader" | "owner" | "curator" | "former_curator" | "operator" | "reader";

/** Who must act next in a publication. `operator`, if a failing registration needs a change that only the operator can make. */
export type WaitingFor = "owner" | "curator" | "service" | "operator";

/** What decides about the recipients: members of the data of events. */
interface Details {
  /** The party that must correct a problem. */
  fault?: string;
  state?: string;
  /** The side on which a person acted. */
  party?: "owner" | "curator";
  by?: string;
  /** The curator to whom a review was assigned. */
  curator?: string | null;
  /** The curator to whom it was assigned before. */
  former?: string | null;
  waitingFor?: WaitingFor | null;
  /** The request for access that is answered; undefined if access is granted without one. */
  request?: string;
}

const to =
  (...parties: MailParty[]) =>
  () =>
    parties;
const toOtherSide = ({ party }: Details): MailParty[] => [party === "curator" ? "owner" : "curator"];
const toResponsible = ({ fault }: Details): MailParty[] => [fault === "submitter" ? "owner" : "operator"];
const toReader = ({ request }: Details): MailParty[] => (request === undefined ? [] : ["reader"]);

/**
 * The recipients of mails about events: the party that must act next, and the parties that wait for an outcome. There is no
 * mail about other events.
 */
const RECIPIENTS: Partial<Record<EventType, (details: Details) => readonly MailParty[]>> = {
  accepted: to("submitter"),
  completed: to("submitter"),
  failed: to("submitter"),
  waiting: ({ fault }) => (fault === "submitter" ? ["submitter"] : []),
  // Without review, a request is approved at once.
  publication_requested: ({ state }) => (state === "in_review" ? ["curator"] : []),
  publication_assigned: ({ curator, former, by }) => [
    ...(typeof curator === "string" && curator !== by ? (["curator"] as const) : []),
    ...(typeof former === "string" && former !== by && former !== curator ? (["former_curator"] as const) : []),
  ],
  publication_commented: toOtherSide,
  // While the owner makes changes, the curator does not wait for each of them.
  metadata_changed: ({ party, state }) => {
    if (party === "curator") return ["owner"];
    return party === "owner" && state === "in_review" ? ["curator"] : [];
  },
  changes_requested: to("owner"),
  publication_declined: to("owner"),
  // Otherwise publication starts at once, and the owner receives a mail about its outcome.
  publication_approved: ({ state }) => (state === "approved" ? ["owner"] : []),
  publication_taken_back: toOtherSide,
  registration_delayed: toResponsible,
  reservation_delayed: toResponsible,
  published: to("owner"),
  publication_withdrawn: to("owner"),
  publication_reminder: ({ waitingFor }) => (waitingFor === "owner" || waitingFor === "curator" ? [waitingFor] : []),
  // The owner chooses the access, and an admin withdraws a dataset with all its versions.
  access_changed: ({ party }) => (party === "curator" ? ["owner"] : []),
  withdrawn: to("owner"),
  access_requested: to("owner", "curator"),
  access_reminder: to("owner", "curator"),
  access_granted: toReader,
  access_refused: toReader,
  embargo_ending: to("owner"),
  embargo_ended: to("owner"),
};

/** The parties to which mail about an event is sent. */
export function mailedTo(event: LogEntry): readonly MailParty[] {
  if (isPassing(event)) return [];
  return RECIPIENTS[event.type]?.((event.data ?? {}) as Details) ?? [];
}
